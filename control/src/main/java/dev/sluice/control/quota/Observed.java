package dev.sluice.control.quota;

/** What a service's answers have shown so far; asked again and again. Thread-safe. */
public interface Observed {

  /** How many requests at once the service recommends to this account. */
  int degree();

  /** Nanoseconds of every answer's time that are the network's; 0 while unknown. */
  long roundTrip();

  /** A recommendation that does not change, and an unknown round trip. */
  static Observed recommending(int degree) {
    return new Observed() {
      @Override
      public int degree() {
        return degree;
      }

      @Override
      public long roundTrip() {
        return 0;
      }
    };
  }
}
