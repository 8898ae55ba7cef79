import type { DemoLogin } from './demo/load.js';

/** Where the service is, and on the demo organisation a line that logs in. */
export function announce(url: string, demo: DemoLogin | null): void {
  const address = url
    .replace('[::1]', 'localhost')
    .replace('0.0.0.0', 'localhost')
    .replace('[::]', 'localhost');
  console.log(`\nRecense is ready. In the browser: ${address}/app, Swagger UI: ${address}/docs`);
  if (!demo) return;
  const body = JSON.stringify({ login: demo.login, password: demo.password });
  console.log(`Log in to the demo organisation:\n`);
  console.log(`  curl -s ${address}/api/v1/login -H 'Content-Type: application/json' -d '${body}'\n`);
}
