/**
 * Who plays: the policies of this project and their peers, each as a {@link
 * dev.sluice.arena.bout.Contender}.
 */
@NullMarked
package dev.sluice.arena.contender;

import org.jspecify.annotations.NullMarked;
