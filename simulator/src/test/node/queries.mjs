// Queries, and what relates rows to each other.
import assert from "node:assert/strict";
import { NOBODY, accounts, call, contacts, done, names, refused, step, world } from "./harness.mjs";

await step("query", async () => {
  await call("retrieveMultiple", { ...accounts, orderBy: ["name"] }, names("Contoso", "Fabrikam"));
  await call("retrieveMultiple", { ...accounts, orderBy: ["name desc"], top: 1 }, names("Fabrikam"));
  await call(
    "retrieveMultiple",
    { ...accounts, filter: "contains(name,'brik') and revenue gt 1", count: true },
    (answer) => {
      names("Fabrikam")(answer);
      assert.equal(answer.oDataCount, 1);
    },
  );
  await call(
    "retrieveMultiple",
    { ...accounts, filter: "startswith(name,'con') or endswith(name,'nothing')" },
    names("Contoso"),
  );
  await call("retrieveMultiple", { ...accounts, filter: "not (name eq 'contoso')" }, names("Fabrikam"));
  await call("retrieveMultiple", { ...accounts, filter: "accountnumber eq null" }, names("Fabrikam"));
  await call(
    "retrieveMultiple",
    { ...contacts, filter: `_parentcustomerid_value eq ${world.fabrikam}` },
    names("Ann"),
  );
  await call(
    "retrieveMultiple",
    {
      ...accounts,
      filter: "Microsoft.Dynamics.CRM.In(PropertyName='name',PropertyValues=['Contoso','x'])",
    },
    names("Contoso"),
  );
  await call(
    "retrieveMultiple",
    { ...contacts, filter: "Microsoft.Dynamics.CRM.Today(PropertyName='createdon')" },
    (answer) => assert.equal(answer.value.length, 2),
  );
  await call(
    "retrieveMultiple",
    {
      ...accounts,
      filter: "Microsoft.Dynamics.CRM.LastXDays(PropertyName=@p1,PropertyValue=@p2)",
      queryParams: ["@p1='createdon'", "@p2=7"],
    },
    (answer) => assert.equal(answer.value.length, 2),
  );
  await call(
    "retrieveMultiple",
    {
      ...accounts,
      filter:
        'Microsoft.Dynamics.CRM.Between(PropertyName="numberofemployees",PropertyValues=["5","20"])',
    },
    names("Fabrikam"),
  );
  await call("retrieveMultiple", { ...accounts, includeAnnotations: "*" }, (answer) =>
    assert.equal(answer.value.length, 2),
  );
  await call("count", { collection: "accounts" }, (answer) => assert.equal(answer, 2));
  await call("count", { collection: "accounts", filter: "name eq 'Contoso'" }, (answer) =>
    assert.equal(answer, 1),
  );
  await call("countAll", { collection: "contacts", select: ["contactid"] }, (answer) =>
    assert.equal(answer, 2),
  );
  const bad = (filter) => ({ ...accounts, filter });
  await refused("retrieveMultiple", bad("nothing eq 1"), 400, "0x80060888", /'nothing'/);
  await refused("retrieveMultiple", bad("name eq"), 400, "0x80060888", /Syntax error/);
  await refused(
    "retrieveMultiple",
    bad("Microsoft.Dynamics.CRM.Nonsense(PropertyName='name')"),
    400,
    "0x80060888",
    /unknown function/,
  );
  await refused("retrieveMultiple", { ...accounts, orderBy: ["x"] }, 400, "0x80060888", /'x'/);
  const xml = '<fetch><entity name="account"/></fetch>';
  await refused("fetch", { collection: "accounts", fetchXml: xml }, 501, "0x80040219", /fetchXml/);
});

await step("relations", async () => {
  const single = { collection: "accounts", navigationProperty: "primarycontactid" };
  const one = { ...single, primaryKey: world.fabrikam, relatedCollection: "contacts" };
  await call("associateSingleValued", { ...one, relatedKey: world.ann }, done);
  const read = { collection: "accounts", key: world.fabrikam };
  await call("retrieve", { ...read, select: ["_primarycontactid_value"] }, (row) =>
    assert.equal(row._primarycontactid_value, world.ann),
  );
  await call("retrieve", { ...read, select: ["primarycontactid/$ref"] }, (answer) =>
    assert.equal(answer.id ?? answer, world.ann),
  );
  await call(
    "retrieve",
    { ...read, navigationProperty: "primarycontactid", select: ["lastname"] },
    (row) => assert.equal(row.lastname, "Ann"),
  );
  await call("associateSingleValued", { ...one, relatedKey: world.bob }, done);
  await call("disassociateSingleValued", { ...single, primaryKey: world.fabrikam }, done);
  await call("retrieve", { ...read, select: ["_primarycontactid_value"] }, (row) =>
    assert.equal(row._primarycontactid_value, null),
  );
  const many = {
    collection: "accounts",
    primaryKey: world.contoso,
    relationshipName: "contact_customer_accounts",
    relatedCollection: "contacts",
    relatedKey: world.bob,
  };
  await call("associate", many, done);
  const ofContoso = { ...contacts, filter: `_parentcustomerid_value eq ${world.contoso}` };
  await call("retrieveMultiple", ofContoso, names("Bob"));
  await call("disassociate", many, done);
  await call("retrieveMultiple", ofContoso, names());
  await refused("associate", { ...many, relatedKey: NOBODY }, 404, "0x80040217", /Does Not Exist/);
  await refused(
    "associate",
    { ...many, relationshipName: "nothing" },
    404,
    "0x80060888",
    /segment 'nothing/,
  );
  await refused(
    "associateSingleValued",
    { ...one, relatedCollection: "accounts", relatedKey: world.contoso },
    400,
    "0x80048d19",
    /'account' was bound where a 'contact'/,
  );
  await call("associateSingleValued", { ...one, relatedKey: world.ann }, done);
});

await step("expand", async () => {
  const contact = { property: "primarycontactid", select: ["lastname"] };
  await call("retrieve", { ...accounts, key: world.fabrikam, expand: [contact] }, (row) =>
    assert.equal(row.primarycontactid.lastname, "Ann"),
  );
  await call(
    "retrieveMultiple",
    { ...accounts, orderBy: ["name"], expand: [contact] },
    (answer) => {
      assert.equal(answer.value[0].primarycontactid, null);
      assert.equal(answer.value[1].primarycontactid.lastname, "Ann");
    },
  );
  const people = {
    property: "contact_customer_accounts",
    select: ["lastname"],
    orderBy: ["lastname"],
    filter: "lastname ne 'Bob'",
    top: 5,
  };
  await call("retrieve", { ...accounts, key: world.fabrikam, expand: [people] }, (row) =>
    assert.deepEqual(
      row.contact_customer_accounts.map((each) => each.lastname),
      ["Ann"],
    ),
  );
  const account = {
    property: "parentcustomerid_account",
    select: ["name"],
    expand: [{ property: "primarycontactid", select: ["lastname"] }],
  };
  await call("retrieve", { ...contacts, key: world.ann, expand: [account] }, (row) =>
    assert.equal(row.parentcustomerid_account.primarycontactid.lastname, "Ann"),
  );
  const unknown = { ...accounts, expand: [{ property: "nothing" }] };
  await refused("retrieveMultiple", unknown, 400, "0x80060888", /'nothing'/);
  const column = { ...accounts, expand: [{ property: "name" }] };
  await refused("retrieveMultiple", column, 400, "0x80060888", /not a navigation property/);
});
