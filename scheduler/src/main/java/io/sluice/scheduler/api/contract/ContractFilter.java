// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.parameters.RequestBody;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;
import org.jboss.jandex.IndexView;

/**
 * Completes the OpenAPI document when the server is built. An endpoint without an operation id, a
 * parameter or field without a description, and a description of nothing fail the build.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ContractFilter implements OASFilter {
  private static final String TOKEN = "token";
  private static final String MANIFEST = "Manifest";
  private static final String REPEATED = "200";
  private static final String CREATED = "201";
  private static final String ACCEPTED = "202";

  private final IndexView index;

  public ContractFilter(IndexView index) {
    this.index = index;
  }

  @Override
  public void filterOpenAPI(OpenAPI document) {
    Map<String, Endpoint> endpoints = Endpoint.byOperation(index);
    ParameterSchemas parameters = new ParameterSchemas(document.getComponents().getSchemas());
    Examples examples = new Examples();
    examples.requireKnown(endpoints.keySet());
    document
        .getPaths()
        .getPathItems()
        .forEach(
            (path, item) ->
                item.getOperations()
                    .forEach(
                        (verb, operation) -> {
                          Endpoint endpoint = endpoints.get(operation.getOperationId());
                          if (endpoint == null) {
                            throw new IllegalStateException(
                                "%s %s has no operation id".formatted(verb, path));
                          }
                          complete(operation, verb, endpoint, parameters);
                          examples.addTo(
                              operation.getOperationId(),
                              operation.getResponses().getAPIResponses());
                        }));
    parameters.requireAllUsed();
    Map<String, Schema> schemas = new TreeMap<>(document.getComponents().getSchemas());
    schemas.keySet().removeIf(ParameterSchemas::isClass);
    new BodySchemas(index).complete(schemas);
    schemas.put(MANIFEST, manifest());
    document.getComponents().setSchemas(schemas);
    Statuses.addTo(document.getComponents());
    document
        .getComponents()
        .addSecurityScheme(
            TOKEN,
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .description(
                    "A token of `./sluice token create`, or of the server's data directory"));
    document.setSecurity(
        List.of(OASFactory.createSecurityRequirement().addScheme(TOKEN, List.of())));
  }

  private static void complete(
      Operation operation,
      PathItem.HttpMethod verb,
      Endpoint endpoint,
      ParameterSchemas parameters) {
    String id = operation.getOperationId();
    List<Parameter> read = new ArrayList<>();
    if (operation.getParameters() != null) {
      read.addAll(operation.getParameters());
    }
    read.forEach(parameter -> parameters.complete(id, parameter, endpoint));
    if (endpoint.conditional()) {
      String header = verb == PathItem.HttpMethod.GET ? "If-None-Match" : "If-Match";
      read.add(parameters.text(id, header, Parameter.In.HEADER));
    }
    if (endpoint.fromView()) {
      Parameter sequence = parameters.text(id, "Sluice-Wait-For", Parameter.In.HEADER);
      sequence.setSchema(OASFactory.createSchema().addType(Schema.SchemaType.INTEGER));
      read.add(sequence);
    }
    if (endpoint.shared()) {
      Parameter seen = parameters.text(id, "Sluice-Seen", Parameter.In.HEADER);
      seen.setSchema(OASFactory.createSchema().addType(Schema.SchemaType.INTEGER));
      read.add(seen);
    }
    if (verb == PathItem.HttpMethod.GET && answersJson(operation)) {
      read.add(parameters.text(id, "fields", Parameter.In.QUERY));
    }
    operation.setParameters(read.isEmpty() ? null : read);
    if (endpoint.readsBody()) {
      operation.setRequestBody(body(operation.getRequestBody(), endpoint));
    }
    operation.setDescription(
        endpoint
            .role()
            .map("Requires the right `%s`."::formatted)
            .orElse("Open to all, without a token."));
    if (endpoint.role().isEmpty()) {
      operation.setSecurity(List.of());
    }
    completeResponses(operation, verb, endpoint, read);
  }

  private static boolean answersJson(Operation operation) {
    APIResponse answer = operation.getResponses().getAPIResponse("200");
    return answer != null
        && answer.getContent() != null
        && answer.getContent().hasMediaType("application/json");
  }

  private static void completeResponses(
      Operation operation, PathItem.HttpMethod verb, Endpoint endpoint, List<Parameter> read) {
    Map<String, APIResponse> answers = new TreeMap<>(operation.getResponses().getAPIResponses());
    APIResponse created = answers.get(CREATED);
    if (created != null) {
      created.setDescription("It was made, and is durable");
      created.addHeader("Location", header(Schema.SchemaType.STRING, "The path of what was made"));
      if (endpoint.readsHeader("Idempotency-Key")) {
        answers.computeIfAbsent(REPEATED, status -> repeated(created));
      }
    }
    APIResponse accepted = answers.get(ACCEPTED);
    if (accepted != null) {
      accepted.setDescription("The request is durable, and takes effect in a later round");
    }
    if (endpoint.conditional() && verb == PathItem.HttpMethod.GET) {
      answers.put(
          "304",
          OASFactory.createAPIResponse()
              .description("The object has the version of If-None-Match"));
    }
    answers.forEach(
        (status, answer) -> {
          if (status.startsWith("2") && endpoint.fromView()) {
            answer.addHeader(
                "Sluice-Sequence",
                header(
                    Schema.SchemaType.INTEGER,
                    "The number of the last batch that the answer is from"));
          }
          if (status.startsWith("2") && endpoint.conditional() && answer.getContent() != null) {
            answer.addHeader("ETag", header(Schema.SchemaType.STRING, "The version, for If-Match"));
          }
        });
    for (int status : Statuses.of(endpoint, verb, read)) {
      answers.put(
          String.valueOf(status), OASFactory.createAPIResponse().ref(Statuses.component(status)));
    }
    operation.getResponses().setAPIResponses(answers);
  }

  private static APIResponse repeated(APIResponse created) {
    return OASFactory.createAPIResponse()
        .description("The answer to an earlier request with the same Idempotency-Key")
        .content(created.getContent())
        .addHeader(
            "Idempotency-Replayed",
            header(Schema.SchemaType.BOOLEAN, "true: nothing was made again"));
  }

  private static Header header(Schema.SchemaType type, String description) {
    return OASFactory.createHeader()
        .description(description)
        .schema(OASFactory.createSchema().addType(type));
  }

  private static RequestBody body(RequestBody scanned, Endpoint endpoint) {
    Content content = OASFactory.createContent();
    if (endpoint.readsManifest()) {
      Schema manifest = OASFactory.createSchema().ref(MANIFEST);
      content
          .addMediaType("application/yaml", OASFactory.createMediaType().schema(manifest))
          .addMediaType("application/json", OASFactory.createMediaType().schema(manifest));
    } else {
      content.addMediaType(
          "application/json", scanned.getContent().getMediaTypes().values().iterator().next());
    }
    return OASFactory.createRequestBody()
        .required(endpoint.readsManifest() ? Boolean.TRUE : scanned.getRequired())
        .content(content);
  }

  private static Schema manifest() {
    return OASFactory.createSchema()
        .addType(Schema.SchemaType.OBJECT)
        .description(
            "A manifest as in docs/reference/manifests. YAML may hold several documents; a list of"
                + " kind List holds several in either form.")
        .addProperty("apiVersion", text("The group and version of the schema, as sluice.io/v1"))
        .addProperty("kind", text("The kind of the object, as Job"))
        .addProperty(
            "metadata",
            OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .description("Name, namespace, labels and annotations"))
        .addProperty(
            "spec",
            OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .description("What is wanted; its fields depend on the kind"))
        .required(List.of("apiVersion", "kind"));
  }

  private static Schema text(String description) {
    return OASFactory.createSchema().addType(Schema.SchemaType.STRING).description(description);
  }
}
