package dev.sluice.gate.offence;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Every method is an offence. */
@SuppressWarnings("all")
class ReadsClocks {
  long nanos() {
    return System.nanoTime();
  }

  long millis() {
    return System.currentTimeMillis();
  }

  LongSupplier aReference() {
    return System::nanoTime;
  }

  Supplier<Instant> aLambda() {
    return () -> Instant.now();
  }

  Supplier<Instant> aReferenceToTheWallClock() {
    return Instant::now;
  }

  LocalDate today() {
    return LocalDate.now();
  }

  ZonedDateTime inAZone() {
    return ZonedDateTime.now(ZoneOffset.UTC);
  }

  Clock aClock() {
    return Clock.systemUTC();
  }

  Clock aTickingClock() {
    return Clock.tickSeconds(ZoneOffset.UTC);
  }

  InstantSource aSource() {
    return InstantSource.system();
  }

  Date anOldDate() {
    return new Date();
  }

  Calendar aCalendar() {
    return Calendar.getInstance();
  }

  Calendar aGregorianCalendar() {
    return new GregorianCalendar();
  }
}
