// Starts limiters and clients, each pair on ports of its own, and prints one table. See `run`.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const env = process.env;
const records = Number(env.RECORDS ?? 2000);
const jobsAtOnce = Number(env.JOBS ?? 4);
const millisEach = Number(env.SECONDS_EACH ?? 1200) * 1000;
const requests = records + Math.ceil(records / 100);

const express = { limit: 100, windowMs: 10_000, standardHeaders: false, legacyHeaders: false };
const perWindow = Math.floor((requests - 1) / express.limit) * (express.windowMs / 1000);
const limiters = [
  { name: 'express-draft-6', ideal: perWindow, goal: 1.06, express: { ...express, standardHeaders: 'draft-6' } },
  { name: 'express-draft-7', ideal: perWindow, goal: 1.06, express: { ...express, standardHeaders: 'draft-7' } },
  { name: 'express-draft-8', ideal: perWindow, goal: 1.06, express: { ...express, standardHeaders: 'draft-8' } },
  { name: 'express-legacy', ideal: perWindow, goal: 1.06, express: { ...express, legacyHeaders: true } },
  { name: 'express-none', ideal: perWindow, goal: 1.15, express },
  // The first request and ten more pass at once with nodelay; without it each waits for its turn.
  { name: 'nginx-429', ideal: (requests - 1) / 20, goal: 1.25, nginx: ['', 'limit_req_status 429;'] },
  { name: 'nginx-429-nodelay', ideal: (requests - 11) / 20, goal: 1.25, nginx: ['nodelay', 'limit_req_status 429;'] },
  { name: 'nginx-503', ideal: (requests - 1) / 20, goal: 1.25, nginx: ['', ''] },
  { name: 'nginx-503-nodelay', ideal: (requests - 11) / 20, goal: 1.25, nginx: ['nodelay', ''] },
];
const declared = '\npacing: {start: 10/s, ceiling: 20/s}\n';

// ---- processes: every one that was started is ended by its id, at the latest when this one ends
const started = new Set();
function start(command, args, folder, output) {
  const out = openSync(output, 'a');
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', out, out] });
  closeSync(out);
  started.add(child);
  child.ended = new Promise((done) => {
    child.on('exit', (code, signal) => done(code ?? signal));
    child.on('error', (error) => done(error.message));
  }).finally(() => started.delete(child));
  return child;
}
async function end(child) {
  child.kill('SIGTERM');
  const last = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await child.ended;
  clearTimeout(last);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(2));

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
// Only connects: a request would count against the limit.
async function listening(port) {
  for (let i = 0; i < 100; i++) {
    const connected = await new Promise((done) => {
      const socket = net.connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
      socket.on('connect', () => socket.destroy());
    });
    if (connected) return;
    await sleep(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}

// ---- limiters
async function startLimiter(limiter, port, folder) {
  const output = path.join(folder, 'limiter.out');
  const server = path.join(here, 'server.mjs');
  if (limiter.express) {
    const log = path.join(folder, 'requests.log');
    const child = start('node', [server, port, records, log, JSON.stringify(limiter.express)], folder, output);
    await listening(port);
    return { children: [child], log };
  }
  const upstream = await freePort();
  const behind = start('node', [server, upstream, records, path.join(folder, 'upstream.log')], folder, output);
  await listening(upstream);
  const [delay, status] = limiter.nginx;
  const log = path.join(folder, 'access.log');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  const conf = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
  ${temporary.join(' ')}
  log_format requests '$msec $request_time $status $sent_http_retry_after $request_uri';
  access_log ${log} requests;
  limit_req_zone $binary_remote_addr zone=requests:1m rate=20r/s;
  ${status}
  server {
    listen 127.0.0.1:${port};
    location / { limit_req zone=requests burst=10 ${delay}; proxy_pass http://127.0.0.1:${upstream}; }
  }
}
`;
  writeFileSync(path.join(folder, 'nginx.conf'), conf);
  const child = start(env.NGINX, ['-e', `${folder}/error.log`, '-p', folder, '-c', `${folder}/nginx.conf`], folder, output);
  await listening(port);
  return { children: [child, behind], log };
}

// Of each request: when it arrived and was answered (ms), its status and the wait that it told (s).
function readLog(limiter, file) {
  return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map((line) => {
    const [first, second, status, wait] = line.split(' ');
    const answered = limiter.nginx ? Number(first) * 1000 : Number(second);
    const arrived = limiter.nginx ? answered - Number(second) * 1000 : Number(first);
    return { arrived, answered, status: Number(status), wait: Number(wait) || 0 };
  });
}
// Requests that arrived after a refusal could be known and before its wait was over. The wait began
// when the refusal was sent, which is after the refused request came and may be before it was logged.
function withinToldWait(log) {
  const waits = log.filter((request) => request.status !== 200 && request.wait > 0);
  return log.filter(({ arrived }) =>
    waits.some((refusal) => arrived > refusal.answered + 100 && arrived < refusal.arrived + refusal.wait * 1000 - 5)).length;
}

// ---- clients
function startClient(client, port, folder) {
  const output = path.join(folder, 'client.out');
  if (client === 'loop') {
    return start('node', [path.join(here, 'loop.mjs'), `http://127.0.0.1:${port}`, path.join(folder, 'loop.jsonl')], folder, output);
  }
  const connector = readFileSync(path.join(here, 'items.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'items.yaml'), connector + (client === 'sluice, declared' ? declared : ''));
  writeFileSync(path.join(folder, 'mine.yaml'),
    `collect: items.yaml\nas: mine\nconfig: {port: ${port}}\ninto: {json-lines: data}\n`);
  return start(env.SLUICE, ['collect', 'mine.yaml'], folder, output);
}
function lines(file) {
  return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
}
// What should be there once: the id of every record of the list, and of every detail.
function collected(client, folder) {
  if (client === 'loop') {
    const file = path.join(folder, 'loop.jsonl');
    const all = existsSync(file) ? lines(file) : [];
    return [all.map((line) => line.item), all.map((line) => line.detail)];
  }
  const data = path.join(folder, 'data', 'mine');
  const files = existsSync(data) ? readdirSync(data).filter((name) => name.endsWith('.jsonl')) : [];
  return ['items', 'details'].map((stream) =>
    files.filter((name) => name.split(/[.@]/)[0] === stream).flatMap((name) => lines(path.join(data, name))).map((line) => line.id));
}

async function measure({ limiter, client }) {
  const folder = path.join(root, `${limiter.name}-${client.replace(', ', '-')}`);
  mkdirSync(folder);
  const port = await freePort();
  const { children, log } = await startLimiter(limiter, port, folder);
  const begin = performance.now();
  const child = startClient(client, port, folder);
  const timeout = setTimeout(() => end(child), millisEach);
  const exit = await child.ended;
  const seconds = (performance.now() - begin) / 1000;
  clearTimeout(timeout);
  await sleep(500); // the last lines of the log
  for (const server of children) await end(server);

  const sent = readLog(limiter, log);
  const refused = sent.filter((request) => request.status !== 200).length;
  const ids = collected(client, folder);
  const missing = ids.reduce((sum, list) => sum + records - new Set(list).size, 0);
  const twice = ids.reduce((sum, list) => sum + list.length - new Set(list).size, 0);
  const first = Math.min(...sent.map((request) => request.arrived));
  const last = Math.max(...sent.map((request) => request.answered));
  const row = {
    limiter, client, seconds, exit, between: (last - first) / 1000, sent: sent.length, refused, missing, twice,
    ratio: seconds / limiter.ideal, early: withinToldWait(sent),
  };
  row.met = exit === 0 && row.ratio <= limiter.goal && refused <= sent.length / 100 && row.early === 0 && missing === 0 && twice === 0;
  console.error(`${limiter.name}, ${client}: ${seconds.toFixed(1)} s, exit ${exit}`);
  return row;
}

// ---- main
const names = process.argv.slice(2).filter((name) => name !== '--list');
const chosen = limiters.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
if (process.argv.includes('--list') || chosen.length === 0) {
  console.log(limiters.map(({ name }) => name).join('\n'));
  process.exit(chosen.length === 0 ? 2 : 0);
}
const root = mkdtempSync(path.join(os.tmpdir(), 'sluice-limiters-run-'));
process.on('exit', () => {
  started.forEach((child) => child.kill('SIGTERM'));
  if (!env.KEEP) rmSync(root, { recursive: true, force: true });
});
const queue = chosen.flatMap((limiter) =>
  ['sluice', ...(limiter.nginx ? ['sluice, declared'] : []), 'loop'].map((client) => ({ limiter, client })));
const order = new Map(queue.map((job, i) => [job, i]));
const load = () => os.loadavg().map((value) => value.toFixed(1)).join(' ');
console.error(`${queue.length} measurements, ${jobsAtOnce} at once, load average ${load()}`);
const loadBefore = load();
const rows = [];
await Promise.all(Array.from({ length: jobsAtOnce }, async () => {
  for (let job = queue.shift(); job; job = queue.shift()) rows[order.get(job)] = await measure(job);
}));

console.log('| limiter | client | ideal | took | ratio | goal | first to last request | sent | refused | in a told wait | missing | twice | |');
console.log('|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|');
for (const row of rows) {
  const loop = row.client === 'loop';
  console.log([
    '', row.limiter.name, row.client, `${row.limiter.ideal.toFixed(1)} s`, `${row.seconds.toFixed(1)} s`,
    row.ratio.toFixed(2), loop ? '' : row.limiter.goal,
    `${row.between.toFixed(1)} s (${(row.between / row.limiter.ideal).toFixed(2)})`, row.sent,
    `${row.refused} (${((100 * row.refused) / Math.max(1, row.sent)).toFixed(1)} %)`, row.early, row.missing, row.twice,
    (loop ? '' : row.met ? 'met' : 'missed') + (row.exit === 0 ? '' : ` exit ${row.exit}`), '',
  ].join(' | ').trim());
}
console.log(`\n${records} records with details, ${requests} requests, ${jobsAtOnce} at once, ${os.cpus().length} cores,` +
  ` load average ${loadBefore} before, ${load()} after`);
if (env.KEEP) console.log(`logs and records: ${root}`);
process.exit(rows.every((row) => row.met || row.client === 'loop') ? 0 : 1);
