package dev.sluice.simulator.catalogue;

/**
 * A place in a sorted list, just behind one element: stays where it is when others come and go.
 *
 * @param major what the list is sorted by first: seconds since 1970 of a change, or 0
 * @param minor the key of the element
 */
public record Place(long major, long minor) {}
