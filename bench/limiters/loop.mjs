// What people write: ask, and when refused wait as long as told (a second if not told) and ask again.
import { appendFileSync } from 'node:fs';
const [base, file] = process.argv.slice(2);

async function get(path) {
  for (;;) {
    const answer = await fetch(base + path);
    if (answer.ok) return answer.json();
    await answer.text();
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

for (let page = '0'; page !== null; ) {
  const list = await get(`/items?page=${page}`);
  for (const item of list.items) {
    appendFileSync(file, JSON.stringify({ item: item.id, detail: (await get(`/items/${item.id}`)).id }) + '\n');
  }
  page = list.next;
}
