package dev.sluice.control.offence;

import org.slf4j.LoggerFactory;

class Logs {
  Logs() {
    LoggerFactory.getLogger(Logs.class).info("a controller has nothing to say");
  }
}
