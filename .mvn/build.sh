# What ./sluice and ./verify share: finding a JDK, one build at a time, and the copy that runs.
# Sourced with $root set to the project's folder and $me to the name of the command; POSIX sh.

oldest=21

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# Reads the release file instead of starting java, which would take 100 times as long.
# jdk_at FOLDER -> $version, and $rank, a number that orders versions; fails if no JDK is there
jdk_at() {
  version=
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    while IFS='=' read -r key value; do
      if [ "$key" = JAVA_VERSION ]; then
        value=${value#\"}
        version=${value%\"}
      fi
    done <"$1/release"
  fi
  rank=0
  [ -n "$version" ] || return 1
  rest=$version.0.0
  for part in first second third; do
    digits=${rest%%[!0-9]*}
    rank=$((rank * 1000 + ${digits:-0}))
    rest=${rest#"$digits"}
    rest=${rest#?}
  done
}

new_enough() { jdk_at "$1" && [ "$rank" -ge "${oldest}000000" ]; }

# Sets and exports JAVA_HOME to a JDK that is new enough; $jdk is its version, $jdk_major its first
# number. Asked for by name wins, then the java on the path, then the newest of those installed.
find_jdk() {
  if [ -n "${SLUICE_JAVA_HOME-}" ]; then
    if ! new_enough "$SLUICE_JAVA_HOME"; then
      say "SLUICE_JAVA_HOME is $SLUICE_JAVA_HOME, which holds ${version:+JDK }${version:-no JDK}; it must name one of version $oldest or newer"
      exit 3
    fi
    found=$SLUICE_JAVA_HOME
  elif [ -n "${JAVA_HOME-}" ] && new_enough "$JAVA_HOME"; then
    found=$JAVA_HOME
  else
    too_old=${JAVA_HOME:+"JAVA_HOME is $JAVA_HOME, which holds ${version:+JDK }${version:-no JDK}"}
    search_jdk
    if [ -z "$found" ]; then
      no_jdk
      exit 3
    fi
    [ -z "$too_old" ] || say "$too_old; using $found instead"
  fi
  jdk_at "$found"
  jdk=$version
  jdk_major=$((rank / 1000000))
  JAVA_HOME=$found
  export JAVA_HOME
  if [ "$jdk_major" -ge 23 ]; then
    # Maven's own libraries still use what newer JDKs warn about.
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS-}"
    export MAVEN_OPTS
  fi
}

search_jdk() {
  found= best=0
  on_path=$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v java)")")")
  if new_enough "$on_path"; then
    found=$on_path
    return
  fi
  seen=${version:+" $version"}
  for folder in ${jvm_folders-/usr/lib/jvm /usr/lib64/jvm /usr/java /opt/java /Library/Java/JavaVirtualMachines} \
    "${HOME-}/.sdkman/candidates/java" "${HOME-}/.jdks" "${HOME-}/Library/Java/JavaVirtualMachines"; do
    for candidate in "$folder"/* "$folder"/*/Contents/Home; do
      jdk_at "$candidate" || continue
      seen="$seen $version"
      if [ "$rank" -gt "$best" ] && [ "$rank" -ge "${oldest}000000" ]; then
        best=$rank
        found=$candidate
      fi
    done
  done
}

no_jdk() {
  say "no JDK of version $oldest or newer was found${seen:+, only:$seen}. Install one, for example with"
  cat >&2 <<'END'
    apt-get install openjdk-21-jdk-headless     (Ubuntu, Debian 13; on older ones temurin-25-jdk)
    dnf install java-21-openjdk-devel           (Fedora)
    brew install openjdk                        (macOS; then set SLUICE_JAVA_HOME)
    sdk install java                            (SDKMAN)
or set SLUICE_JAVA_HOME to the folder of one that is installed elsewhere.
END
}

# One build at a time in this folder; held until this process or unlock_build ends it.
lock_build() {
  command -v flock >/dev/null || return 0
  exec 9<"$root/.mvn"
  if ! flock -n 9; then
    say "waiting for another build to end"
    flock 9
  fi
}

unlock_build() { exec 9<&-; }

# The copy that runs is named after the content of what it was built from: it is stale exactly when
# it has another name, and a build never pulls the jars from under a command that is running.
name_image() {
  image=$root/target/sluice/$(
    cd "$root"
    find pom.xml ./*/pom.xml ./*/src/main -type f -exec cksum {} + | LC_ALL=C sort | cksum | tr ' ' -
  )
}

# Puts the built jars where they run; the last step makes them visible all at once.
publish_image() {
  find "$root/target/sluice" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} + 2>/dev/null || true
  rm -rf "$image.new"
  mkdir -p "$image.new"
  cp -p "$root/cli/target/sluice.jar" "$image.new"
  cp -pR "$root/cli/target/lib" "$image.new"
  rm -rf "$image"
  mv "$image.new" "$image"
}
