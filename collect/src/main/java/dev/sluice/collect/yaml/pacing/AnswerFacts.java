package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.text.Facts;
import dev.sluice.gate.http.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/**
 * What conditions can ask of an answer: {@code status}, {@code header.NAME}, {@code body} as a text
 * and {@code body.a.b} as JSON. The body is read only if it is asked for. Used for one answer.
 */
final class AnswerFacts implements Facts {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String HEADER = "header.";
  private static final String BODY = "body.";

  private final Answer answer;
  private @Nullable JsonNode body;

  AnswerFacts(Answer answer) {
    this.answer = answer;
  }

  /** Whether conditions can ask for a path at all. */
  static boolean knows(String path) {
    return path.equals("status")
        || path.equals("body")
        || path.startsWith(BODY)
        || path.startsWith(HEADER);
  }

  @Override
  public JsonNode find(String path) {
    if (path.equals("status")) {
      return IntNode.valueOf(answer.status());
    }
    if (path.startsWith(HEADER)) {
      List<String> lines = answer.header(path.substring(HEADER.length()));
      return lines.isEmpty()
          ? MissingNode.getInstance()
          : StringNode.valueOf(lines.getFirst().strip());
    }
    if (path.equals("body")) {
      return answer.body().<JsonNode>map(StringNode::valueOf).orElse(MissingNode.getInstance());
    }
    return inBody(JsonPath.parse("$." + path.substring(BODY.length())));
  }

  /** What a path leads to in the body; missing if that is no JSON. */
  JsonNode inBody(JsonPath path) {
    JsonNode root = body;
    if (root == null) {
      root = parsed();
      body = root;
    }
    return path.first(root);
  }

  private JsonNode parsed() {
    try {
      JsonNode node = JSON.readTree(answer.body().orElse(""));
      return node == null ? MissingNode.getInstance() : node;
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }
}
