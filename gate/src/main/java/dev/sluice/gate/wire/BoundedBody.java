package dev.sluice.gate.wire;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Keeps a body in memory up to a size, and lets go of it beyond. Used for one answer. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final int most;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      if (buffer.remaining() > most - kept.size()) {
        boolean unused = body.completeExceptionally(new AnswerTooLargeException(most));
        if (subscription != null) {
          subscription.cancel();
        }
        kept.reset();
        return;
      }
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      kept.writeBytes(bytes);
    }
  }

  @Override
  public void onError(Throwable failure) {
    boolean unused = body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    boolean unused = body.complete(kept.toByteArray());
  }
}
