import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Makes and changes topics, and says what is known of them. Kafka's address is in client.properties on the class path.
 *
 * <pre>
 * Topic create NAME PARTITIONS [CONFIG=VALUE ...]       prints the topic's id
 * Topic delete NAME
 * Topic add-partitions NAME TOTAL
 * Topic delete-records NAME PARTITION BEFORE_OFFSET
 * Topic offsets NAME                                    prints partition, earliest and latest offset
 * Topic id NAME
 * Topic group GROUP                                     prints topic, partition and committed offset
 * </pre>
 */
public final class Topic {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Admin admin;

  private Topic(Admin admin) {
    this.admin = admin;
  }

  public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
    Properties settings = new Properties();
    try (InputStream in = Topic.class.getResourceAsStream("/client.properties")) {
      settings.load(in);
    }
    try (Admin admin = Admin.create(settings)) {
      new Topic(admin).run(args);
    }
  }

  private void run(String[] args) throws InterruptedException, ExecutionException {
    String verb = args.length < 2 ? "nothing" : args[0];
    switch (verb) {
      case "create" -> create(args[1], Integer.parseInt(args[2]), Arrays.asList(args).subList(3, args.length));
      case "delete" -> delete(args[1]);
      case "add-partitions" -> addPartitions(args[1], Integer.parseInt(args[2]));
      case "delete-records" ->
        deleteRecords(new TopicPartition(args[1], Integer.parseInt(args[2])), Long.parseLong(args[3]));
      case "offsets" -> printOffsets(args[1]);
      case "id" -> System.out.println(describe(args[1]).topicId());
      case "group" -> printGroup(args[1]);
      default -> throw new IllegalArgumentException(verb + ": expected create, delete, add-partitions, delete-records,"
          + " offsets, id or group, and a name");
    }
  }

  private void create(String name, int partitions, List<String> configs)
      throws InterruptedException, ExecutionException {
    Map<String, String> values = new HashMap<>();
    for (String config : configs) {
      int at = config.indexOf('=');
      if (at < 0) {
        throw new IllegalArgumentException(config + ": expected CONFIG=VALUE");
      }
      values.put(config.substring(0, at), config.substring(at + 1));
    }
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(values);
    String id = admin.createTopics(List.of(topic)).topicId(name).get().toString();
    awaitLeaders(name, partitions);
    System.out.println(id);
  }

  private void delete(String name) throws InterruptedException, ExecutionException {
    admin.deleteTopics(List.of(name)).all().get();
    // The controller has deleted it; brokers learn of it a moment later.
    while (admin.listTopics().names().get().contains(name)) {
      Thread.sleep(10);
    }
  }

  private void addPartitions(String name, int total) throws InterruptedException, ExecutionException {
    admin.createPartitions(Map.of(name, NewPartitions.increaseTo(total))).all().get();
    awaitLeaders(name, total);
  }

  private void deleteRecords(TopicPartition partition, long before) throws InterruptedException, ExecutionException {
    admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before))).all().get();
  }

  /** The controller has made the partitions; brokers learn of it a moment later. */
  private void awaitLeaders(String name, int partitions) throws InterruptedException, ExecutionException {
    long started = System.nanoTime();
    while (!haveLeaders(name, partitions)) {
      if (System.nanoTime() - started > PATIENCE.toNanos()) {
        throw new IllegalStateException(name + ": a partition has no leader after a minute; do all brokers run?");
      }
      Thread.sleep(10);
    }
  }

  private boolean haveLeaders(String name, int partitions) throws InterruptedException, ExecutionException {
    try {
      List<TopicPartitionInfo> known = describe(name).partitions();
      if (known.size() < partitions || known.stream().anyMatch(partition -> partition.leader() == null)) {
        return false;
      }
      // Tried again until the leaders answer.
      offsets(partitions(name, partitions), OffsetSpec.latest());
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }

  private void printOffsets(String name) throws InterruptedException, ExecutionException {
    List<TopicPartition> partitions = partitions(name, describe(name).partitions().size());
    Map<TopicPartition, Long> earliest = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> latest = offsets(partitions, OffsetSpec.latest());
    for (TopicPartition partition : partitions) {
      System.out.println(partition.partition() + "\t" + earliest.get(partition) + "\t" + latest.get(partition));
    }
  }

  private void printGroup(String group) throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    List<TopicPartition> partitions = new ArrayList<>(committed.keySet());
    partitions.sort(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata offset = committed.get(partition);
      // A partition that the group reads and has committed nothing of.
      if (offset != null) {
        System.out.println(partition.topic() + "\t" + partition.partition() + "\t" + offset.offset());
      }
    }
  }

  private TopicDescription describe(String name) throws InterruptedException, ExecutionException {
    return admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec which)
      throws InterruptedException, ExecutionException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin.listOffsets(partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> which)))
        .all().get().forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }

  private static List<TopicPartition> partitions(String name, int count) {
    return IntStream.range(0, count).mapToObj(number -> new TopicPartition(name, number)).toList();
  }
}
