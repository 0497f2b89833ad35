// Functions, and what is done to one row.
import assert from "node:assert/strict";
import {
  FORMATTED,
  GUID,
  NOBODY,
  accounts,
  call,
  done,
  isId,
  refused,
  step,
  world,
} from "./harness.mjs";

await step("functions", async () => {
  await call("callFunction", { name: "WhoAmI" }, (who) => {
    assert.match(who.UserId, GUID);
    assert.match(who.OrganizationId, GUID);
  });
  await call("callFunction", "RetrieveVersion", (answer) => assert.match(answer.Version, /^9\.2\./));
  await call(
    "callFunction",
    { name: "RetrieveTotalRecordCount", parameters: { EntityNames: ["account", "contact"] } },
    (answer) => assert.deepEqual(answer.EntityRecordCountCollection.Values, [0, 0]),
  );
  await refused("callFunction", { name: "RetrieveNonsense" }, 404, "0x80060888", /RetrieveNonsense/);
  await refused(
    "callFunction",
    { name: "RetrieveTotalRecordCount", parameters: { EntityNames: ["nothing"] } },
    404,
    "0x80060888",
    /nothing/,
  );
});

await step("create", async () => {
  const data = { name: "Fabrikam", revenue: 20000.5, numberofemployees: 10, creditonhold: true };
  world.fabrikam = await call("create", { collection: "accounts", data }, isId);
  const whole = await call(
    "create",
    {
      collection: "accounts",
      data: { name: "Contoso", accountcategorycode: 2, accountnumber: "C-1" },
      returnRepresentation: true,
    },
    (row) => {
      assert.equal(row.name, "Contoso");
      assert.equal(row.statecode, 0);
    },
  );
  world.contoso = whole.accountid;
  const ofFabrikam = { "parentcustomerid_account@odata.bind": `/accounts(${world.fabrikam})` };
  const person = await call(
    "create",
    {
      collection: "contacts",
      data: { lastname: "Ann", ...ofFabrikam },
      returnRepresentation: true,
      select: ["lastname", "_parentcustomerid_value"],
    },
    (row) => {
      assert.equal(row._parentcustomerid_value, world.fabrikam);
      assert.equal("fullname" in row, false);
    },
  );
  world.ann = person.contactid;
  world.bob = await call("create", { collection: "contacts", data: { lastname: "Bob" } }, isId);
  const again = { accountid: world.contoso, name: "Twice" };
  await refused("create", { collection: "accounts", data: again }, 412, "0x80040237", /already exists/);
  await refused(
    "create",
    { collection: "accounts", data: { accountnumber: "C-1" } },
    412,
    "0x80060892",
    /Entity Key accountnumberkey violated/,
  );
  await refused(
    "create",
    { collection: "accounts", data: { nonsense: 1 } },
    400,
    "0x80048d19",
    /Invalid property 'nonsense'/,
  );
  await refused(
    "create",
    { collection: "accounts", data: { numberofemployees: "many" } },
    400,
    "0x80048d19",
    /Edm.Int32/,
  );
  await refused(
    "create",
    { collection: "accounts", data: { accountcategorycode: 9 } },
    400,
    "0x8004431A",
    /Accepted Values/,
  );
  await refused("create", { collection: "nothings", data: {} }, 404, "0x80060888", /'nothings'/);
});

await step("retrieve", async () => {
  const one = { collection: "accounts", key: world.fabrikam };
  await call("retrieve", { ...one, select: ["name", "revenue"] }, (row) => {
    assert.equal(row.name, "Fabrikam");
    assert.equal(row.revenue, 20000.5);
    assert.equal("telephone1" in row, false);
  });
  await call("retrieve", one, (row) => {
    assert.equal(row.telephone1, null);
    assert.ok(row.createdon instanceof Date || typeof row.createdon === "string");
  });
  await call("retrieve", { ...one, includeAnnotations: "*" }, (row) => {
    assert.equal(row[`statecode${FORMATTED}`], "Active");
    assert.equal(row[`revenue${FORMATTED}`], "$20,000.50");
    assert.equal(row.creditonhold_Formatted, "Yes");
  });
  await call("retrieve", { collection: "accounts", key: "accountnumber='C-1'" }, (row) =>
    assert.equal(row.accountid, world.contoso),
  );
  await refused("retrieve", { ...accounts, key: NOBODY }, 404, "0x80040217", /Does Not Exist/);
  await refused(
    "retrieve",
    { ...accounts, key: "accountnumber='none'" },
    404,
    "0x80060891",
    /does not exist in account/,
  );
  await refused("retrieve", { ...accounts, key: "name='x'" }, 400, "0x0", /key in the request URI/);
  await refused("retrieve", { ...one, select: ["nothing"] }, 400, "0x80060888", /'nothing'/);
});

await step("update", async () => {
  const one = { collection: "accounts", key: world.fabrikam };
  await call("update", { ...one, data: { telephone1: "1" } }, done);
  await call(
    "update",
    { ...one, data: { telephone1: "2" }, returnRepresentation: true, select: ["telephone1"] },
    (row) => assert.equal(row.telephone1, "2"),
  );
  const row = await call("retrieve", { ...one, select: ["telephone1"] }, (answer) =>
    assert.equal(answer.telephone1, "2"),
  );
  const etag = row["@odata.etag"];
  // This client takes a 412 for "not changed", and says so instead of throwing.
  const late = { ...one, data: { name: "Late" }, ifmatch: 'W/"1"' };
  await call("update", late, (answer) => assert.equal(answer, false));
  await call("update", { ...one, data: { telephone1: "3" }, ifmatch: etag }, (answer) =>
    assert.equal(answer, true),
  );
  await call("updateSingleProperty", { ...one, fieldValuePair: { websiteurl: "a.example" } }, done);
  await call("retrieve", { ...one, select: ["websiteurl"] }, (answer) =>
    assert.equal(answer.websiteurl, "a.example"),
  );
  await call("deleteRecord", { ...one, property: "websiteurl" }, done);
  await call("retrieve", { ...one, select: ["websiteurl"] }, (answer) =>
    assert.equal(answer.websiteurl, null),
  );
  await refused(
    "update",
    { collection: "accounts", key: NOBODY, data: { name: "x" } },
    404,
    "0x80040217",
    /Does Not Exist/,
  );
});

await step("upsert", async () => {
  const request = (name) => ({
    collection: "accounts",
    key: "accountnumber='A-1'",
    data: { name },
    returnRepresentation: true,
  });
  const created = await call("upsert", request("one"), (row) => assert.equal(row.name, "one"));
  await call("upsert", request("two"), (row) => {
    assert.equal(row.accountid, created.accountid);
    assert.equal(row.name, "two");
  });
  const byId = { collection: "accounts", key: created.accountid, data: { name: "three" } };
  // Neither does it create what is there, nor update what is not, if it is told so.
  await call("upsert", { ...byId, ifnonematch: "*" }, (answer) => assert.equal(answer, null));
  await call("upsert", { ...byId, key: NOBODY, ifmatch: "*" }, (answer) =>
    assert.equal(answer, null),
  );
  await call("retrieve", { ...accounts, key: created.accountid }, (row) =>
    assert.equal(row.name, "two"),
  );
});

await step("delete", async () => {
  const one = { collection: "accounts", key: "accountnumber='A-1'" };
  await call("deleteRecord", { ...one, ifmatch: 'W/"1"' }, (answer) => assert.equal(answer, false));
  await call("deleteRecord", one, done);
  await refused("retrieve", one, 404, "0x80060891", /does not exist/);
  await refused("deleteRecord", { ...one, key: NOBODY }, 404, "0x80040217", /Does Not Exist/);
});
