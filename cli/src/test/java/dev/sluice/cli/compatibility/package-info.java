/**
 * What people and their scripts rely on, as version 0.1 left it: files of state and of records, key
 * words of files, names, options, shapes of answers. The tests go through the command line and
 * files, so that what is behind may be moved and renamed.
 *
 * <p>Two things can be recorded anew, from the root of the project:
 *
 * <ul>
 *   <li>{@code ./mvnw -pl cli -am test -Dtest='dev/sluice/cli/compatibility/*Test'
 *       -Dsurefire.failIfNoSpecifiedTests=false -Dcompatibility.record=texts} writes the texts that
 *       are compared with what the commands print. Whoever does so means to change them: look at
 *       the difference, and say in the change log what others have to do.
 *   <li>The same with {@code =states} writes the states of loads and collections that were killed.
 *       These must come from the version that their folder names: record the states of a new
 *       version in a new folder, and keep the old one.
 * </ul>
 */
package dev.sluice.cli.compatibility;
