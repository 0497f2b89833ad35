// Batches, bulk messages, pages, metadata, and what is too much.
import assert from "node:assert/strict";
import {
  GUID,
  NOBODY,
  accounts,
  address,
  api,
  batch,
  call,
  contacts,
  done,
  names,
  noted,
  refused,
  step,
  world,
} from "./harness.mjs";

await step("batch", async () => {
  await batch(
    [
      ["create", { collection: "contacts", data: { lastname: "Cid" }, contentId: "1" }],
      [
        "create",
        {
          collection: "accounts",
          data: { name: "Of Cid", accountnumber: "Cid", "primarycontactid@odata.bind": "$1" },
        },
      ],
      ["retrieveMultiple", { ...contacts, filter: "lastname eq 'Cid'", inChangeSet: false }],
    ],
    (answers) => {
      assert.equal(answers.length, 3);
      assert.match(answers[0], GUID);
      assert.match(answers[1], GUID);
      assert.equal(answers[2].value[0].contactid, answers[0]);
    },
  );
  await call(
    "retrieve",
    {
      ...accounts,
      key: "accountnumber='Cid'",
      expand: [{ property: "primarycontactid", select: ["lastname"] }],
    },
    (row) => assert.equal(row.primarycontactid.lastname, "Cid"),
  );
  // A change set is all or nothing.
  noted();
  api.startBatch();
  api.create({ collection: "contacts", data: { lastname: "Never" } });
  api.create({ collection: "accounts", data: { accountnumber: "Cid" } });
  await assert.rejects(api.executeBatch(), ([failed]) => {
    assert.equal(failed.status, 412);
    assert.equal(failed.error.code, "0x80060892");
    return true;
  });
  await call("retrieveMultiple", { ...contacts, filter: "lastname eq 'Never'" }, names());
  await batch(
    [
      [
        "associate",
        {
          collection: "accounts",
          primaryKey: world.contoso,
          relationshipName: "contact_customer_accounts",
          relatedCollection: "contacts",
          relatedKey: world.bob,
        },
      ],
      ["update", { collection: "contacts", key: world.bob, data: { firstname: "Robert" } }],
      ["deleteRecord", { collection: "accounts", key: "accountnumber='Cid'" }],
    ],
    (answers) => assert.equal(answers.length, 3),
  );
  await call("retrieve", { collection: "contacts", key: world.bob }, (row) => {
    assert.equal(row.firstname, "Robert");
    assert.equal(row._parentcustomerid_value, world.contoso);
  });
  await batch(
    [
      ["retrieve", { ...accounts, key: world.fabrikam, inChangeSet: false }],
      ["callFunction", { name: "WhoAmI", inChangeSet: false }],
      ["count", { collection: "accounts", inChangeSet: false }],
    ],
    (answers) => {
      assert.equal(answers[0].name, "Fabrikam");
      assert.match(answers[1].UserId, GUID);
      assert.equal(Number(answers[2]), 2);
    },
  );
});

const accountRow = (values) => ({ "@odata.type": "Microsoft.Dynamics.CRM.account", ...values });
const bulk = (actionName, Targets, collection = "accounts") => ({
  collection,
  actionName: `Microsoft.Dynamics.CRM.${actionName}`,
  action: { Targets },
});

await step("actions", async () => {
  let ids;
  for (let part = 0; part < 6; part++) {
    const targets = [];
    for (let i = 0; i < 1000; i++) {
      targets.push(accountRow({ name: `row ${part * 1000 + i}`, numberofemployees: 77 }));
    }
    ids = (
      await call("callAction", bulk("CreateMultiple", targets), (answer) =>
        assert.equal(answer.Ids.length, 1000),
      )
    ).Ids;
  }
  const changed = accountRow({ accountid: ids[0], telephone1: "77" });
  await call("callAction", bulk("UpdateMultiple", [changed]), done);
  await call("retrieveMultiple", { ...accounts, filter: "telephone1 eq '77'" }, (answer) =>
    assert.equal(answer.value[0].accountid, ids[0]),
  );
  const upserted = accountRow({ "@odata.id": "accounts(accountnumber='U-1')", name: "U" });
  await call("callAction", bulk("UpsertMultiple", [upserted]), done);
  const reading = {
    "@odata.type": "Microsoft.Dynamics.CRM.sim_sensorreading",
    sim_sensorreadingid: NOBODY,
    partitionid: "p",
    sim_name: "one",
  };
  const set = "sim_sensorreadings";
  await call("callAction", bulk("CreateMultiple", [reading], set), (answer) =>
    assert.deepEqual(answer.Ids, [NOBODY]),
  );
  await call("retrieve", { collection: set, key: NOBODY, partitionId: "p" }, (row) =>
    assert.equal(row.sim_name, "one"),
  );
  const gone = { ...reading };
  delete gone.sim_name;
  await call("callAction", bulk("DeleteMultiple", [gone], set), done);
  await refused("callAction", bulk("DeleteMultiple", [changed]), 501, "0x80040219", /DeleteMultiple/);
  await refused("callAction", bulk("Nonsense", [changed]), 404, "0x80060888", /No HTTP resource/);
  await refused("callAction", bulk("CreateMultiple", []), 400, "0x80040203", /Targets/);
});

await step("pages", async () => {
  const filter = "numberofemployees eq 77";
  await call("retrieveAll", { ...accounts, filter }, (all) => {
    assert.equal(all.value.length, 6000);
    assert.equal(new Set(all.value.map((row) => row.name)).size, 6000);
  });
  const paged = { ...accounts, orderBy: ["name"], maxPageSize: 7 };
  const first = await call("retrieveMultiple", paged, (page) => assert.equal(page.value.length, 7));
  noted();
  const second = await api.retrieveMultiple(paged, first.oDataNextLink);
  assert.equal(second.value.length, 7);
  assert.ok(first.value[6].name < second.value[0].name);
  await call("retrieveMultiple", { ...accounts, filter, count: true }, (page) => {
    assert.equal(page.oDataCount, 5000);
    assert.ok(page.oDataNextLink);
  });
  await call(
    "callFunction",
    { name: "RetrieveTotalRecordCount", parameters: { EntityNames: ["account"] } },
    (answer) => assert.deepEqual(answer.EntityRecordCountCollection.Values, [6003]),
  );
});

await step("metadata", async () => {
  const key = "LogicalName='account'";
  const table = await call("retrieveEntity", { key, select: ["EntitySetName"] }, (answer) =>
    assert.equal(answer.EntitySetName, "accounts"),
  );
  await call("retrieveEntity", { key: table.MetadataId }, (answer) =>
    assert.equal(answer.LogicalName, "account"),
  );
  await call(
    "retrieveEntity",
    { key, select: ["LogicalName"], expand: [{ property: "Keys", select: ["KeyAttributes"] }] },
    (answer) => assert.deepEqual(answer.Keys[0].KeyAttributes, ["accountnumber"]),
  );
  await call(
    "retrieveEntity",
    { key, select: ["LogicalName"], expand: [{ property: "OneToManyRelationships" }] },
    (answer) =>
      assert.ok(
        answer.OneToManyRelationships.some((each) => each.SchemaName === "contact_customer_accounts"),
      ),
  );
  await call("retrieveEntities", { select: ["LogicalName"] }, (answer) =>
    assert.equal(answer.value.length, 4),
  );
  await call("retrieveEntities", { filter: "LogicalName eq 'queue'" }, (answer) =>
    assert.equal(answer.value[0].EntitySetName, "queues"),
  );
  await call("retrieveAttributes", { entityKey: key, select: ["LogicalName"] }, (answer) =>
    assert.ok(answer.value.some((column) => column.LogicalName === "revenue")),
  );
  await call(
    "retrieveAttributes",
    {
      entityKey: key,
      castType: "Microsoft.Dynamics.CRM.PicklistAttributeMetadata",
      select: ["LogicalName"],
      expand: [{ property: "OptionSet" }],
    },
    (answer) => assert.equal(answer.value[0].OptionSet.Options[0].Value, 1),
  );
  await call(
    "retrieveAttribute",
    { entityKey: key, attributeKey: "LogicalName='name'", select: ["MaxLength"] },
    (answer) => assert.equal(answer.MaxLength, 160),
  );
  await refused("retrieveEntity", { key: "LogicalName='x'" }, 404, "0x80060888", /entity name: x/);
  await call("retrieveCsdlMetadata", {}, (answer) =>
    assert.match(String(answer), /<EntitySet Name="accounts"/),
  );
});

await step("throttle", async () => {
  const changed = await fetch(`${address}/simulator/limits`, {
    method: "PATCH",
    body: JSON.stringify({ requests: 60 }),
  });
  assert.equal(changed.status, 200);
  noted();
  await assert.rejects(api.callFunction({ name: "WhoAmI" }), (error) => {
    assert.equal(error.status, 429);
    assert.equal(error.code, "0x80072322");
    const wait = error.headers["retry-after"] ?? error.headers["Retry-After"];
    assert.ok(Number(wait) >= 5, `Retry-After is ${wait}`);
    return true;
  });
});
