package dev.sluice.collect.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collection and the connector that it configures. */
class CollectionFileTest {
  @TempDir Path folder;

  @Test
  void what_is_wrong_with_a_configuration_is_told_where_it_stands() throws Exception {
    Files.writeString(
        folder.resolve("items.yaml"),
        """
        connector: items
        config:
          owner: {type: string}
          from: {type: date}
          token: {type: secret}
        provider: {base: "https://api.example", auth: {bearer: "{config.token}"}}
        streams: {items: {get: "/{config.owner}", pages: none}}
        """);
    Path mine =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            collect: items.yaml
            as: mine
            into: {json-lines: data}
            config:
              ower: acme
              from: soon
              token: "{env.TOKEN}"
            """);
    CollectionFile collection =
        CollectionFile.read(mine, Map.of("TOKEN", "s3cret"), Duration.ofMinutes(2));
    assertThat(collection.config().toString()).doesNotContain("s3cret");
    ConnectorFile connector = ConnectorFile.read(collection.connector());
    assertThatThrownBy(
            () ->
                connector.bind(
                    collection.config(),
                    request -> {
                      throw new AssertionError("nobody is to be asked");
                    },
                    Time.real()))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .containsExactlyInAnyOrder(
                        mine
                            + ":4: config.owner has no value; the collection has to give one (string)",
                        mine + ":5: config.ower is not known; did you mean owner?",
                        mine
                            + ":6: config.from is 'soon', but a date such as 2024-01-31 is expected"));
  }

  @Test
  void a_login_without_the_database_that_it_is_for_is_a_mistake() throws Exception {
    Path mine =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            collect: items.yaml
            as: mine
            into:
              sqlite: mine.db
              user: me
              password: s3cret
            """);
    assertThatThrownBy(() -> CollectionFile.read(mine, Map.of(), Duration.ofMinutes(2)))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .containsExactly(
                        mine + ":5: into.user is for postgresql alone, which into does not name",
                        mine
                            + ":6: into.password is for postgresql alone, which into does not name"));
  }

  @Test
  void a_collection_that_is_too_large_is_told_so() throws Exception {
    Path mine =
        Files.writeString(folder.resolve("mine.yaml"), "as: '" + "a ".repeat(600_000) + "'\n");
    assertThatThrownBy(() -> CollectionFile.read(mine, Map.of(), Duration.ofMinutes(2)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("mine.yaml cannot be read: it is larger than 1 MiB");
  }

  @Test
  void a_collection_that_is_not_in_utf_8_is_told_so() throws Exception {
    Path mine = Files.write(folder.resolve("mine.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
    assertThatThrownBy(() -> CollectionFile.read(mine, Map.of(), Duration.ofMinutes(2)))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .singleElement()
                    .asString()
                    .endsWith("mine.yaml is not UTF-8; save it as such"));
  }
}
