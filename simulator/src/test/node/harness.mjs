// What all steps share: the client, calls that are counted and checked, and the rows they made.
import assert from "node:assert/strict";
import { DynamicsWebApi } from "dynamics-web-api";

export const address = process.argv[2];
const [tenant, clientId, secret] = process.argv.slice(3);
export const GUID = /^[0-9a-f-]{36}$/;
export const FORMATTED = "@OData.Community.Display.V1.FormattedValue";
export const NOBODY = "00000000-0000-4000-8000-000000000000";

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
export const api = new DynamicsWebApi({
  serverUrl: address,
  onTokenRefresh: async () => token,
  dataApi: { version: "9.2" },
});

let calls = 0;

// Notes a call that is made without the functions below.
export function noted() {
  calls++;
}

export function counted() {
  return calls;
}

// The rows that later steps use, by name.
export const world = {};

// One call of the client, by the name of its method, and what must be true of its answer.
export async function call(method, request, check) {
  calls++;
  const answer = await api[method](request);
  await check(answer);
  return answer;
}

// One call that the service must refuse so.
export async function refused(method, request, status, code, says) {
  calls++;
  await assert.rejects(api[method](request), (error) => {
    assert.equal(error.status, status, `${method}: ${error.message}`);
    assert.equal(error.code, code, `${method}: ${error.message}`);
    assert.match(error.message, says);
    return true;
  });
}

// Several requests in one call.
export async function batch(requests, check, options) {
  api.startBatch();
  for (const [method, request] of requests) {
    api[method](request);
  }
  calls++;
  await check(await api.executeBatch(options));
}

export async function step(name, body) {
  await body();
  console.log(`ok ${name}`);
}

export const done = (answer) => assert.ok(!answer || answer === true, `unexpected: ${answer}`);
export const isId = (answer) => assert.match(answer, GUID);
export const names = (...expected) => (answer) =>
  assert.deepEqual(
    answer.value.map((row) => row.name ?? row.lastname),
    expected,
  );

export const accounts = { collection: "accounts", select: ["name"] };
export const contacts = { collection: "contacts", select: ["lastname"] };
