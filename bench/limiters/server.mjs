// Serves a list of records in pages of 100 and a detail of each, either plainly (behind nginx) or
// behind express-rate-limit. Arguments: port, number of records, log file, and what express-rate-limit
// is given, as JSON. The log has one line per request: arrived, answered, status, Retry-After, address.
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';

const [port, count, file, limits] = process.argv.slice(2);
const log = createWriteStream(file);

function serve(request, response) {
  const url = new URL(request.url, 'http://127.0.0.1');
  const [, list, id] = url.pathname.split('/');
  let body;
  if (list === 'items' && id === undefined) {
    const page = Number(url.searchParams.get('page') ?? 0);
    const items = [];
    for (let i = page * 100; i < Math.min(count, page * 100 + 100); i++) items.push({ id: i, name: `item ${i}` });
    body = { items, next: page * 100 + 100 < count ? String(page + 1) : null };
  } else if (list === 'items' && Number(id) < count) {
    body = { id: Number(id), text: `detail of item ${id}` };
  }
  response.statusCode = body ? 200 : 404;
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body ?? { error: 'no such item' }));
}

function logged(handle) {
  return (request, response) => {
    const arrived = Date.now();
    response.on('finish', () =>
      log.write(`${arrived} ${Date.now()} ${response.statusCode} ${response.getHeader('Retry-After') ?? '-'} ${request.url}\n`));
    handle(request, response);
  };
}

let handle = serve;
if (limits) {
  const require = createRequire(`${process.env.TOOLS}/`);
  const app = require('express')();
  app.use(require('express-rate-limit').rateLimit(JSON.parse(limits)));
  app.use(serve);
  handle = app;
}
http.createServer(logged(handle)).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => log.end(() => process.exit(0)));
