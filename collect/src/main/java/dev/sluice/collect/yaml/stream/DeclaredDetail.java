package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.text.Facts;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** A stream of details of a connector file, configured. */
final class DeclaredDetail implements DetailStream {
  private static final String PARENT = "parent.";

  private final StreamRule rule;
  private final Optional<SplitRule> split;
  private final Names names;
  private final AllPages pages;
  private final Set<String> needed;

  DeclaredDetail(StreamRule rule, Optional<SplitRule> split, RequestForm provider, Names names) {
    this.rule = rule;
    this.split = split;
    this.names = names;
    this.pages = new AllPages(rule.asking().at(provider), rule.reader(), rule.pages());
    this.needed = needed(rule);
  }

  /** The members of a parent that requests and records are made with. */
  private static Set<String> needed(StreamRule rule) {
    Set<String> members = new TreeSet<>();
    Stream.concat(rule.asking().templates().stream(), rule.form().add().values().stream())
        .flatMap(template -> template.references().stream())
        .filter(reference -> reference.scope() == Template.Scope.PARENT)
        .forEach(reference -> members.add(reference.name()));
    return members;
  }

  @Override
  public StreamShape shape() {
    return DeclaredList.shape(rule);
  }

  @Override
  public boolean wants(CollectedRecord parent) {
    Facts facts = Facts.of(parent.body());
    return rule.onlyIf().isEmpty()
        || rule.onlyIf()
            .get()
            .holds(
                path ->
                    path.startsWith(PARENT)
                        ? facts.find(path.substring(PARENT.length()))
                        : MissingNode.getInstance());
  }

  @Override
  public ObjectNode remembered(CollectedRecord parent) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    for (String member : needed) {
      List<String> names = List.of(member.split("\\.", -1));
      JsonNode value = JsonPath.members(names).first(parent.body());
      if (value.isMissingNode()) {
        continue;
      }
      ObjectNode into = kept;
      for (String name : names.subList(0, names.size() - 1)) {
        into = into.get(name) instanceof ObjectNode inner ? inner : into.putObject(name);
      }
      into.set(names.getLast(), value);
    }
    return kept;
  }

  @Override
  public Optional<String> edition(CollectedRecord parent) {
    return rule.redoWhen()
        .map(member -> JsonPath.members(List.of(member.split("\\.", -1))).first(parent.body()))
        .filter(value -> !value.isMissingNode())
        .map(JsonNode::toString);
  }

  @Override
  public boolean isGone(int status) {
    return rule.gone().contains(status);
  }

  @Override
  public void read(String part, ObjectNode parent, Requests requests, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    Names within = split.map(rule -> rule.within(names, part)).orElse(names);
    Names of = within.withParent(parent);
    Outlet outlet = new Outlet(rule.form(), of, records, Optional.empty());
    pages.read(of, Map.of(), requests, outlet::accept, AllPages.Watch.NONE);
  }

  @Override
  public String toString() {
    return "details " + rule.name();
  }
}
