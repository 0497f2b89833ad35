package dev.sluice.stray;

class Homeless {}
