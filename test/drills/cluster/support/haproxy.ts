import fs from 'node:fs';
import { join } from 'node:path';
import type { Node } from './node.js';
import { lowPort, Program } from './program.js';

/** Where Patroni answers 200 if a server is such a one. */
const CHECKS = { primary: 'primary', replicas: 'replica' };

/** In front of PostgreSQL, by Patroni's health checks, and of the service, by its own. */
export class Haproxy {
  private constructor(
    private readonly program: Program,
    /** Leads to the primary. */
    readonly primary: number,
    /** Leads to the replicas. */
    readonly replicas: number,
    /** Leads to the instances of the service. */
    readonly service: number,
    private readonly statistics: number,
  ) {}

  static async start(folder: string, nodes: Node[], instances: number[]): Promise<Haproxy> {
    const [primary, replicas] = [await lowPort(), await lowPort()];
    const [service, statistics] = [await lowPort(), await lowPort()];
    const file = join(folder, 'haproxy.cfg');
    const servers = nodes.map(
      ({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`,
    );
    const database = (role: 'primary' | 'replicas', port: number) => `
listen ${role}
  bind 127.0.0.1:${port}
  mode tcp
  timeout client 1h
  timeout server 1h
  option httpchk OPTIONS /${CHECKS[role]}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
    fs.writeFileSync(
      file,
      `
defaults
  timeout connect 2s
  timeout check 2s
  timeout client 60s
  timeout server 60s

${database('primary', primary)}
${database('replicas', replicas)}
listen service
  bind 127.0.0.1:${service}
  mode http
  balance roundrobin
  option httpchk GET /health/ready
  option redispatch 1
  default-server inter 500ms fall 1 rise 1
${instances.map((port, n) => `  server s${n} 127.0.0.1:${port} check`).join('\n')}

listen statistics
  bind 127.0.0.1:${statistics}
  mode http
  stats enable
  stats uri /
`,
      { mode: 0o644 },
    );
    const program = new Program(['haproxy', '-db', '-f', file], join(folder, 'haproxy.log'), [file]);
    program.start();
    return new Haproxy(program, primary, replicas, service, statistics);
  }

  /** Every connection through it is cut. */
  async restart(): Promise<void> {
    await this.kill();
    this.program.start();
  }

  kill(): Promise<void> {
    return this.program.kill();
  }

  /** Those that it sends something to, such as “primary/a” and “service/s0”. */
  async up(): Promise<string[]> {
    const text = await (await fetch(`http://127.0.0.1:${this.statistics}/;csv`)).text();
    const [names, ...lines] = text
      .replace(/^# /, '')
      .split('\n')
      .map((line) => line.split(','));
    const status = names!.indexOf('status');
    return lines
      .filter((line) => line[status]?.startsWith('UP'))
      .map(([proxy, server]) => `${proxy}/${server}`);
  }
}
