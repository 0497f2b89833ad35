package dev.sluice.gate.offence;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Every method is an offence. */
@SuppressWarnings("all")
class TakesChances {
  Random withoutASeed() {
    return new Random();
  }

  Supplier<Random> withoutASeedByReference() {
    return Random::new;
  }

  RandomGenerator splittable() {
    return new SplittableRandom();
  }

  RandomGenerator ofTheThread() {
    return ThreadLocalRandom.current();
  }

  RandomGenerator secure() {
    return new SecureRandom();
  }

  RandomGenerator byDefault() {
    return RandomGenerator.getDefault();
  }

  RandomGenerator byName() {
    return RandomGenerator.of("L64X128MixRandom");
  }

  RandomGenerator fromAFactory(RandomGeneratorFactory<?> factory) {
    return factory.create();
  }

  double math() {
    return Math.random();
  }

  DoubleSupplier mathByReference() {
    return Math::random;
  }

  UUID identity() {
    return UUID.randomUUID();
  }

  void shuffled(List<?> list) {
    Collections.shuffle(list);
  }
}
