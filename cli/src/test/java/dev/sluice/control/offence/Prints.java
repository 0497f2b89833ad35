package dev.sluice.control.offence;

class Prints {
  Prints() {
    System.out.println("a controller has nothing to say");
  }
}
