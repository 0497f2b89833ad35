package dev.sluice.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.ConfigurationException;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.routing.Selection;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.dataverse.wire.Timeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

  @Test
  void an_empty_file_means_every_default() throws ConfigurationException {
    Configuration read = read("# nothing yet\n");
    assertThat(read.adaptiveRate()).isEqualTo(AdaptiveRateOptions.DEFAULTS);
    assertThat(read.resilience()).isEqualTo(ResilienceOptions.DEFAULTS);
    assertThat(read.pool()).isEqualTo(ConnectionPoolOptions.DEFAULTS);
    assertThat(read.timeouts()).isEqualTo(Timeouts.DEFAULTS);
    assertThat(read.state()).isEqualTo(Path.of(".sluice/state.db").toAbsolutePath());
  }

  @Test
  void a_preset_alone_in_json_brings_its_own_values() throws ConfigurationException {
    AdaptiveRateOptions read =
        read("{\"Dataverse\": {\"AdaptiveRate\": {\"Preset\": \"Aggressive\"}}}").adaptiveRate();
    assertThat(read.preset()).isEqualTo(Preset.AGGRESSIVE);
    assertThat(read.executionTimeCeilingFactor()).isEqualTo(320);
    assertThat(read.slowBatchThresholdMs()).isEqualTo(11_000);
    assertThat(read.policy()).contains(PolicyName.AIMD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {
          "Dataverse": {
            "AdaptiveRate": {
              "Preset": "Conservative",
              "ExecutionTimeCeilingFactor": 150,
              "SlowBatchThresholdMs": 6500
            }
          }
        }
        """,
        """
        {"Dataverse": {"AdaptiveRate": {
          "SlowBatchThresholdMs": 6500, "ExecutionTimeCeilingFactor": 150,
          "Preset": "Conservative"}}}
        """,
        """
        {"Dataverse": {"AdaptiveRate": {"Preset": "Conservative", "Factor": 150, "Threshold": 6500}}}
        """
      })
  void an_explicit_value_wins_over_the_preset_whichever_stands_first(String text)
      throws ConfigurationException {
    AdaptiveRateOptions read = read(text).adaptiveRate();
    assertThat(read.preset()).isEqualTo(Preset.CONSERVATIVE);
    assertThat(read.executionTimeCeilingFactor()).isEqualTo(150);
    assertThat(read.slowBatchThresholdMs()).isEqualTo(6_500);
  }

  @Test
  void one_override_leaves_the_presets_other_value() throws ConfigurationException {
    AdaptiveRateOptions read =
        read("{\"Dataverse\": {\"AdaptiveRate\": {\"Preset\": \"Conservative\", \"Factor\": 200}}}")
            .adaptiveRate();
    assertThat(read.executionTimeCeilingFactor()).isEqualTo(200);
    assertThat(read.slowBatchThresholdMs()).isEqualTo(7_000);
  }

  @Test
  void every_option_of_the_documents_is_read_from_json_with_their_names_and_time_spans()
      throws ConfigurationException {
    Configuration read =
        read(
            """
            {
              "Dataverse": {
                "AdaptiveRate": {
                  "Enabled": true, "InitialParallelismFactor": 0.25, "MinParallelism": 2,
                  "IncreaseRate": 3, "DecreaseFactor": 0.7, "StabilizationBatches": 4,
                  "MinIncreaseInterval": "00:00:07", "RecoveryMultiplier": 1.5,
                  "LastKnownGoodTTL": "00:06:00", "IdleResetPeriod": "1.00:00:00"
                },
                "Resilience": {
                  "MaxThrottleRetries": 5, "EnableThrottleTracking": false,
                  "FallbackRetryAfter": "00:00:45"
                },
                "ConnectionPool": {"MaxRetryAfterTolerance": "00:00:30"}
              }
            }
            """);
    assertThat(read.adaptiveRate())
        .isEqualTo(
            AdaptiveRateOptions.builder()
                .enabled(true)
                .initialParallelismFactor(0.25)
                .minParallelism(2)
                .increaseRate(3)
                .decreaseFactor(0.7)
                .stabilizationBatches(4)
                .minIncreaseInterval(Duration.ofSeconds(7))
                .recoveryMultiplier(1.5)
                .lastKnownGoodTtl(Duration.ofMinutes(6))
                .idleResetPeriod(Duration.ofDays(1))
                .build());
    assertThat(read.resilience())
        .isEqualTo(new ResilienceOptions(5, false, Duration.ofSeconds(45)));
    assertThat(read.pool().maxRetryAfterTolerance()).contains(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dataverse: {adaptiveRate: {minParallelism: 3}, pool: {acquireTimeout: 9s}}",
        "Dataverse: {AdaptiveRate: {MinParallelism: 3}, Pool: {AcquireTimeout: 00:00:09}}",
        "dataverse: {adaptive-rate: {min-parallelism: 3}, connection-pool: {acquire-timeout: PT9S}}",
        "DATAVERSE: {ADAPTIVE_RATE: {MIN_PARALLELISM: 3}, POOL: {ACQUIRE_TIMEOUT: 9000ms}}"
      })
  void keys_are_known_in_any_case_style(String text) throws ConfigurationException {
    Configuration read = read(text);
    assertThat(read.adaptiveRate().minParallelism()).isEqualTo(3);
    assertThat(read.pool().acquireTimeout()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void the_whole_of_a_yaml_file_reaches_the_options() throws ConfigurationException {
    Configuration read =
        read(
            """
            state: loads/state.db
            dataverse:
              environment: https://Fabrikam.crm.dynamics.com/
              authority: https://login.microsoftonline.us
              apiVersion: v9.1
              tenant: fabrikam.example
              pool:
                strategy: RoundRobin
                throttleBuffer: 2s
                maxRetryAfterTolerance: null
              timeouts: {connect: 5s, read: 1m, write: 10m}
              limits: {requests: 8000, executionTime: 10m, window: 5m, maxInFlight: 40, servers: 2}
              identities:
                - clientId: one
                  secret: ${ONE}
                - name: night
                  tenant: other.example
                  clientId: two
                  secret: {env: TWO}
                - name: me
                  clientId: three
                  deviceCode: true
            """);
    DataverseOptions options = read.dataverse();
    assertThat(read.state()).isEqualTo(Path.of("loads/state.db").toAbsolutePath());
    assertThat(options.environment()).isEqualTo(URI.create("https://fabrikam.crm.dynamics.com"));
    assertThat(options.authority()).isEqualTo(URI.create("https://login.microsoftonline.us"));
    assertThat(options.apiVersion()).isEqualTo("v9.1");
    assertThat(options.pool().strategy()).isEqualTo(Selection.ROUND_ROBIN);
    assertThat(options.pool().maxRetryAfterTolerance()).isEqualTo(Optional.empty());
    assertThat(options.limits())
        .isEqualTo(
            new QuotaOptions(
                8_000, Duration.ofMinutes(10), Duration.ofMinutes(5), 40, OptionalInt.of(2)));
    assertThat(options.timeouts().write()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.identities())
        .extracting(one -> one.name())
        .containsExactly("app1", "night", "me");
    assertThat(options.identities())
        .extracting(one -> one.credential().tenant())
        .containsExactly("fabrikam.example", "other.example", "fabrikam.example");
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          dataverse: {adaptiveRate: {decreaseFactor: 1.5}}       | sluice.yaml:1: dataverse.adaptiveRate.decreaseFactor is 1.5, but must lie between 0.1 and 0.9
          dataverse: {AdaptiveRate: {Factor: 0}}                 | dataverse.adaptiveRate.executionTimeCeilingFactor is 0, but must be 1 or more (seconds of
          dataverse: {adaptiveRate: {enabled: maybe}}            | dataverse.adaptiveRate.enabled is 'maybe', but true or false is expected
          dataverse: {adaptiveRate: {minParallelism: 2.5}}       | dataverse.adaptiveRate.minParallelism is '2.5', but a whole number is expected
          dataverse: {adaptiveRate: {minParallelism: 99999999999}} | is '99999999999', but a whole number is expected
          dataverse: {adaptiveRate: {increaseRate: [1]}}         | dataverse.adaptiveRate.increaseRate is a list, but a whole number is expected
          dataverse: {adaptiveRate: {decreaseFactor: NaN}}       | dataverse.adaptiveRate.decreaseFactor is 'NaN', but a number is expected
          dataverse: {adaptiveRate: {preset: Careful}}           | dataverse.adaptiveRate.preset is 'Careful', which is not known; one of conservative, balanced, aggressive is expected
          dataverse: {adaptiveRate: {policy: quota, increaseRate: 3}} | dataverse.adaptiveRate.increaseRate is set, but policy is quota, which does not use it
          dataverse: {adaptiveRate: {minIncreaseInterval: 5}}    | minIncreaseInterval is '5', but a time such as 500ms, 30s
          dataverse: {pool: {acquireTimeout: 25h}}               | dataverse.pool.acquireTimeout is 25h, but must be above 0 and at most 1d (how long a call waits
          dataverse: {connectionPool: {strategy: fastest}}       | dataverse.pool.strategy is 'fastest', which is not known; one of throttle-aware, round-robin
          dataverse: {resilience: {maxThrottleRetries: 101}}     | dataverse.resilience.maxThrottleRetries is 101, but must lie between 0 and 100
          dataverse: {timeouts: {read: 0s}}                      | dataverse.timeouts.read is 0s, but must be above 0 and at most 1h
          dataverse: {limits: {servers: 0}}                      | dataverse.limits.servers is 0, but must be 1 or more
          dataverse: {environment: http://contoso.example}       | dataverse.environment is http://contoso.example, but must start with https://
          dataverse: {environment: ht tp}                        | dataverse.environment is 'ht tp', but an address such as https://
          dataverse: {adaptiveRate: {decreaseFaktor: 0.5}}       | dataverse.adaptiveRate.decreaseFaktor is not known; did you mean decreaseFactor?
          Dataverse: {Adaptive_Rat: {}}                          | dataverse.Adaptive_Rat is not known; did you mean adaptiveRate?
          dataverse: {zebra: red}                                | dataverse.zebra is not known; one of environment, url
          dataverse: {pool: {}, connectionPool: {}}              | dataverse.pool is a duplicate key, already in line 1; remove one
          dataverse: [1]                                         | dataverse is a list, but a group of keys is expected
          dataverse: yes                                         | dataverse is a single value, but a group of keys is expected
          dataverse: {identities: {name: x}}                     | dataverse.identities[x] has no way to sign in
          dataverse: {identities: [{name: x}]}                   | dataverse.identities[x] has no way to sign in, but must have one of secret, secretFile, certificate, managedIdentity, workloadIdentity and deviceCode
          dataverse: {identities: [{deviceCode: true, secret: '${A}'}]} | dataverse.identities[1] has a secret and deviceCode, but must have one of
          dataverse: {identities: [{managedIdentity: true, workloadIdentity: true}]} | dataverse.identities[1] has managedIdentity and workloadIdentity, but must have one of
          dataverse: {caller: me}                                | dataverse.caller is me, but must be an id such as 6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10 (the Microsoft Entra object id
          dataverse: {caller: 1-1-1-1-1}                         | dataverse.caller is 1-1-1-1-1, but must be an id such as
          dataverse: {bypass: {plugins: some}}                   | dataverse.bypass.plugins is 'some', which is not known; one of none, sync, async, all, legacy is expected
          dataverse: {bypass: {steps: [x]}}                      | dataverse.bypass.steps is 'x', but must be an id such as
          dataverse: {bypass: {steps: {a: 1}}}                   | dataverse.bypass.steps is a group of keys, but single values are expected
          dataverse: {bypass: {flow: true}}                      | dataverse.bypass.flow is not known; did you mean flows?
          dataverse: {bypass: {steps: [6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10, 6F1A3C52-0b7e-4d1c-9a55-2f8d0c4b7e10]}} | dataverse.bypass: bypassSteps has 6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10 twice
          dataverse: {cloud: us}                                 | dataverse.cloud is 'us', which is not known; one of public, us-gov, us-dod, china is expected
          dataverse: {cloud: china, authority: 'https://login.example.com'} | dataverse.cloud and dataverse.authority are both given, but must not be (a cloud has its own)
          dataverse: {cloud: china, environment: 'https://a.crm.microsoftdynamics.us'} | dataverse.cloud is china, but https://a.crm.microsoftdynamics.us is in the cloud us-gov
          dataverse: {headers: [X-Key]}                          | dataverse.headers is a list, but a group of keys is expected
          dataverse: {headers: {Authorization: s3cr3t}}          | dataverse.headers.Authorization must not be set: the identity signs requests with its token
          dataverse: {headers: {X Key: s3cr3t}}                  | dataverse.headers.X Key is no name of a header
          dataverse: {headers: {X-Key: "a\\nb"}}                 | dataverse.headers.X-Key has control characters or others that no header carries
          dataverse: {headers: {X-Key: ''}}                      | dataverse.headers.X-Key is empty, but must have a value
          dataverse: {headers: {X-Key: null}}                    | dataverse.headers.X-Key is empty, but must have a value
          dataverse: {headers: {X-Key: [s3cr3t]}}                | dataverse.headers.X-Key is a list, but a text is expected
          dataverse: {headers: {X-Key: '1', x-key: '2'}}         | dataverse.headers.x-key is a duplicate key, already in line 1; remove one
          dataverse: {headers: {X-Key: {env: A, file: b}}}       | dataverse.headers.X-Key must have one of env
          dataverse: {environment: '${NOWHERE}'}                 | dataverse.environment comes from the environment variable NOWHERE, but that is not set
          - 1                                                    | the file is a list, but a group of keys is expected
          """)
  void a_mistake_names_the_key_what_stands_there_and_what_was_expected(String text, String says) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigurationException.class)
        .message()
        .startsWith("sluice.yaml:1: ")
        .contains(says)
        .doesNotContain("s3cr3t");
  }

  @Test
  void requests_are_on_behalf_of_a_caller_with_what_they_bypass_and_headers_of_their_own(
      @TempDir Path folder) throws IOException, ConfigurationException {
    Files.writeString(folder.resolve("key"), "from-a-file\n");
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        dataverse:
          environment: https://agency.crm.microsoftdynamics.us
          cloud: us-gov
          caller: 6F1A3C52-0b7e-4d1c-9a55-2f8d0c4b7e10
          bypass: {plugins: Legacy, steps: [00000000-0000-4000-8000-000000000001], flows: true}
          headers:
            Consistency: Strong
            X-Number: 7
            X-Key: {env: ONE}
            X-Other: ${TWO}
            X-File: {file: key}
          identities:
            - {clientId: one, tenant: t, secret: '${ONE}'}
        """);
    Configuration read = Configuration.read(file, Map.of("ONE", "first", "TWO", "second"));
    DataverseOptions options = read.dataverse();
    assertThat(options.authority()).isEqualTo(Cloud.US_GOV.authority());
    assertThat(options.caller()).contains(UUID.fromString("6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10"));
    assertThat(options.headers().values())
        .isEqualTo(
            Map.of(
                "Consistency",
                "Strong",
                "X-Number",
                "7",
                "X-Key",
                "first",
                "X-Other",
                "second",
                "X-File",
                "from-a-file"));
    assertThat(read.message())
        .isEqualTo(
            new MessageOptions(
                MessageOptions.Bypass.LEGACY,
                List.of(UUID.fromString("00000000-0000-4000-8000-000000000001")),
                true,
                false,
                Optional.empty()));
  }

  @Test
  void a_header_from_elsewhere_is_checked_when_it_is_fetched_and_never_quoted()
      throws ConfigurationException {
    Configuration read =
        read(
            """
            dataverse:
              environment: https://contoso.crm4.dynamics.com
              headers:
                X-Control: {env: CONTROL}
                X-Gone: {env: GONE}
                X-File: {file: /nowhere/at/all}
              identities:
                - {clientId: one, tenant: t, secret: '${ONE}'}
            """);
    assertThatThrownBy(read::dataverse)
        .message()
        .contains(
            "sluice.yaml:4: dataverse.headers.X-Control has control characters or others",
            "sluice.yaml:5: dataverse.headers.X-Gone comes from the environment variable GONE",
            "sluice.yaml:6: dataverse.headers.X-File names /nowhere/at/all, but there is no")
        .doesNotContain("s3cr3t");
  }

  @ParameterizedTest
  @CsvSource({
    "https://contoso.crm.dynamics.cn, https://login.partner.microsoftonline.cn",
    "https://contoso.crm9.dynamics.com, https://login.microsoftonline.com",
    "https://contoso.example, https://login.microsoftonline.com"
  })
  void without_a_cloud_the_domain_of_the_environment_tells_it(String environment, URI authority)
      throws ConfigurationException {
    assertThat(
            read("""
                    dataverse:
                      environment: %s
                      identities:
                        - {clientId: one, tenant: t, secret: '${ONE}'}
                    """
                    .formatted(environment))
                .dataverse()
                .authority())
        .isEqualTo(authority);
  }

  @Test
  void every_mistake_is_told_at_once_in_the_order_of_lines() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    dataverse:
                      timeouts:
                        raed: 5s
                      adaptiveRate:
                        decreaseFactor: 1.5
                      resilience:
                        maxThrottleRetries: many
                    """))
        .hasMessage(
            """
            sluice.yaml:3: dataverse.timeouts.raed is not known; did you mean read?
            sluice.yaml:5: dataverse.adaptiveRate.decreaseFactor is 1.5, but must lie between 0.1 and 0.9 (the share of its parallelism that a connection keeps when it is throttled)
            sluice.yaml:7: dataverse.resilience.maxThrottleRetries is 'many', but a whole number is expected""");
  }

  @ParameterizedTest(name = "[{index}] line {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a:\\n\\tb: 1                              | 2 | cannot be read as YAML
          state: [x                                 | 1 | cannot be read as YAML
          state: x\\n---\\nstate: y                 | 3 | a second document begins here
          state: &x y\\ndataverse: *x               | 2 | *x refers to something written elsewhere
          state: x\\nState: y                       | 2 | state is a duplicate key, already in line 1
          """)
  void what_is_no_configuration_at_all_is_refused_with_its_line(
      String text, int line, String says) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(ConfigurationException.class)
        .message()
        .startsWith("sluice.yaml:" + line + ": ")
        .contains(says);
  }

  @Test
  void what_the_parser_cannot_read_is_not_quoted_for_it_may_be_a_secret() {
    assertThatThrownBy(() -> read("a: {b: 1\nsecret: hunter2\n"))
        .isInstanceOf(ConfigurationException.class)
        .message()
        .contains("sluice.yaml:2:")
        .doesNotContain("hunter2");
  }

  @Test
  void an_environment_that_is_missing_is_asked_for_only_by_whoever_needs_it()
      throws ConfigurationException {
    Configuration read = read("dataverse:\n  timeouts: {read: 5s}\n");
    assertThatThrownBy(read::dataverse)
        .message()
        .isEqualTo(
            "sluice.yaml:1: dataverse.environment is missing (where the data goes: an address such as"
                + " https://contoso.crm4.dynamics.com)");
    Configuration nobody = read("dataverse: {environment: https://contoso.crm4.dynamics.com}");
    assertThatThrownBy(nobody::dataverse)
        .hasMessageContaining(
            "sluice.yaml:1: dataverse.identities is empty, but must name at least one");
  }

  @Test
  void the_file_given_is_read_or_else_the_one_of_the_folder(@TempDir Path folder)
      throws IOException, ConfigurationException {
    assertThatThrownBy(() -> Configuration.find(null, folder, Map.of()))
        .hasMessage(
            "there is no sluice.yaml here; 'sluice init' writes one, --config FILE names another");
    Path other = folder.resolve("other.yaml");
    assertThatThrownBy(() -> Configuration.find(other, folder, Map.of()))
        .hasMessage("there is no file " + other);
    Files.writeString(other, "dataverse: {resilience: {maxThrottleRetries: 9}}");
    Files.writeString(
        folder.resolve("sluice.yaml"), "dataverse: {resilience: {maxThrottleRetries: 8}}");
    assertThat(Configuration.find(null, folder, Map.of()).resilience().maxThrottleRetries())
        .isEqualTo(8);
    assertThat(Configuration.find(other, folder, Map.of()).resilience().maxThrottleRetries())
        .isEqualTo(9);
    assertThat(Configuration.find(other, Path.of(""), Map.of()).state())
        .isEqualTo(folder.toAbsolutePath().resolve(".sluice/state.db"));
  }

  @Test
  void a_byte_order_mark_is_no_part_of_the_first_key() throws ConfigurationException {
    assertThat(read("\uFEFFstate: here.db").state()).isEqualTo(Path.of("here.db").toAbsolutePath());
  }

  private static Configuration read(String text) throws ConfigurationException {
    return Configuration.parse(
        Path.of("sluice.yaml"),
        text,
        Map.of("ONE", "first", "TWO", "second", "BLANK", " ", "CONTROL", "s3cr3t\nX-Other: 1"));
  }
}
