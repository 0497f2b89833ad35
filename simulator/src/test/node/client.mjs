// Drives the simulated environment with a client that was written for the real one, unmodified.
// Arguments: address, tenant, client id, secret. Prints one line per thing that went well; ends
// with code 1 and a reason otherwise.
import assert from "node:assert/strict";
import { DynamicsWebApi } from "dynamics-web-api";

const [address, tenant, clientId, secret] = process.argv.slice(2);

async function signIn() {
  const answer = await fetch(`${address}/${tenant}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: secret,
      scope: `${address}/.default`,
    }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()).access_token;
}

const token = await signIn();
const api = new DynamicsWebApi({
  serverUrl: address,
  onTokenRefresh: async () => token,
  dataApi: { version: "9.2" },
});

async function step(name, body) {
  await body();
  console.log(`ok ${name}`);
}

let id;

await step("function", async () => {
  const who = await api.callFunction({ functionName: "WhoAmI" });
  assert.match(who.UserId, /^[0-9a-f-]{36}$/);
});

await step("create", async () => {
  id = await api.create({ collection: "accounts", data: { name: "Fabrikam", revenue: 20000.5 } });
  assert.match(id, /^[0-9a-f-]{36}$/);
  const whole = await api.create({
    collection: "contacts",
    data: { lastname: "Ann", "parentcustomerid_account@odata.bind": `/accounts(${id})` },
    returnRepresentation: true,
  });
  assert.equal(whole._parentcustomerid_value, id);
});

await step("read", async () => {
  const row = await api.retrieve({ collection: "accounts", key: id, select: ["name", "revenue"] });
  assert.equal(row.name, "Fabrikam");
  assert.equal(row.revenue, 20000.5);
  const some = await api.retrieveMultiple({
    collection: "accounts",
    select: ["name"],
    filter: "contains(name,'brik') and revenue gt 1",
    orderBy: ["name desc"],
    count: true,
  });
  assert.equal(some.value.length, 1);
  assert.equal(some.oDataCount, 1);
});

await step("update", async () => {
  await api.update({ collection: "accounts", key: id, data: { name: "Contoso" } });
  const row = await api.retrieve({ collection: "accounts", key: id, select: ["name"] });
  assert.equal(row.name, "Contoso");
  // This client takes a 412 for "not changed", and says so instead of throwing.
  const stale = { collection: "accounts", key: id, data: { name: "Late" }, ifmatch: 'W/"1"' };
  assert.equal(await api.update(stale), false);
  await api.updateSingleProperty({
    collection: "accounts",
    key: id,
    fieldValuePair: { telephone1: "123" },
  });
});

await step("upsert", async () => {
  const request = (name) => ({
    collection: "accounts",
    key: "accountnumber='A-1'",
    data: { name },
    returnRepresentation: true,
  });
  const created = await api.upsert(request("one"));
  const updated = await api.upsert(request("two"));
  assert.equal(updated.accountid, created.accountid);
  assert.equal(updated.name, "two");
});

await step("delete", async () => {
  await api.deleteRecord({ collection: "accounts", key: "accountnumber='A-1'" });
  await assert.rejects(
    api.retrieve({ collection: "accounts", key: "accountnumber='A-1'" }),
    (error) => error.status === 404,
  );
});

await step("batch", async () => {
  api.startBatch();
  const contact = { collection: "contacts", data: { lastname: "Bob" }, contentId: "1" };
  api.create(contact);
  api.create({
    collection: "accounts",
    data: { name: "Of Bob", "primarycontactid@odata.bind": "$1" },
  });
  api.retrieveMultiple({
    collection: "contacts",
    select: ["lastname"],
    filter: "lastname eq 'Bob'",
    inChangeSet: false,
  });
  const answers = await api.executeBatch();
  assert.equal(answers.length, 3);
  assert.match(answers[0], /^[0-9a-f-]{36}$/);
  assert.equal(answers[2].value[0].contactid, answers[0]);
});

await step("action", async () => {
  for (let batch = 0; batch < 12; batch++) {
    const targets = [];
    for (let i = 0; i < 1000; i++) {
      targets.push({
        "@odata.type": "Microsoft.Dynamics.CRM.account",
        name: `row ${batch * 1000 + i}`,
        numberofemployees: 77,
      });
    }
    const answer = await api.callAction({
      collection: "accounts",
      actionName: "Microsoft.Dynamics.CRM.CreateMultiple",
      action: { Targets: targets },
    });
    assert.equal(answer.Ids.length, 1000);
  }
});

await step("pages", async () => {
  const all = await api.retrieveAll({
    collection: "accounts",
    select: ["name"],
    filter: "numberofemployees eq 77",
  });
  assert.equal(all.value.length, 12000);
  assert.equal(new Set(all.value.map((row) => row.name)).size, 12000);
  const first = await api.retrieveMultiple({
    collection: "accounts",
    select: ["name"],
    orderBy: ["name"],
    maxPageSize: 7,
  });
  const second = await api.retrieveMultiple(
    { collection: "accounts", select: ["name"], maxPageSize: 7 },
    first.oDataNextLink,
  );
  assert.equal(second.value.length, 7);
  assert.ok(first.value[6].name < second.value[0].name);
});

await step("metadata", async () => {
  const table = await api.retrieveEntity({ key: "LogicalName='account'", select: ["EntitySetName"] });
  assert.equal(table.EntitySetName, "accounts");
  const columns = await api.retrieveAttributes({
    entityKey: "LogicalName='account'",
    select: ["LogicalName"],
  });
  assert.ok(columns.value.some((column) => column.LogicalName === "revenue"));
});

await step("throttle", async () => {
  const changed = await fetch(`${address}/simulator/limits`, {
    method: "PATCH",
    body: JSON.stringify({ requests: 60 }),
  });
  assert.equal(changed.status, 200);
  let refused;
  for (let i = 0; i < 100 && !refused; i++) {
    try {
      await api.callFunction({ functionName: "WhoAmI" });
    } catch (error) {
      refused = error;
    }
  }
  assert.equal(refused.status, 429);
  assert.equal(refused.code, "0x80072322");
  const wait = refused.headers["retry-after"] ?? refused.headers["Retry-After"];
  assert.ok(Number(wait) >= 5, `Retry-After is ${wait}`);
});
