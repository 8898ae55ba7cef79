import fs from 'node:fs';
import { join } from 'node:path';
import { account, lowPort, Program } from './program.js';

const NAMES = ['e0', 'e1', 'e2'];

interface Member {
  name: string;
  client: string;
  program: Program;
}

/** Three members, who agree on which PostgreSQL is the primary. */
export class Etcd {
  private constructor(readonly members: Member[]) {}

  static async start(folder: string): Promise<Etcd> {
    const sites = [];
    for (const name of NAMES) {
      const [client, peer] = [await lowPort(), await lowPort()];
      sites.push({ name, client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` });
    }
    const cluster = sites.map(({ name, peer }) => `${name}=${peer}`).join(',');
    const members = sites.map(({ name, client, peer }) => {
      const data = join(folder, name);
      fs.mkdirSync(data, { mode: 0o700 });
      const owner = account();
      if (owner) fs.chownSync(data, owner.uid, owner.gid);
      const options = {
        name: name,
        'data-dir': data,
        'listen-client-urls': client,
        'advertise-client-urls': client,
        'listen-peer-urls': peer,
        'initial-advertise-peer-urls': peer,
        'initial-cluster': cluster,
        'enable-v2': true,
        // More than the default, since everything else is on the same machine and disk.
        'heartbeat-interval': 250,
        'election-timeout': 2500,
      };
      const command = ['etcd', ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)];
      return { name, client, program: new Program(command, join(folder, `${name}.log`), [data]) };
    });
    members.forEach(({ program }) => program.start());
    return new Etcd(members);
  }

  get addresses(): string[] {
    return this.members.map(({ client }) => client.replace('http://', ''));
  }

  /** Who leads, as whoever of them answers says. */
  async leader(): Promise<Member> {
    for (const member of this.members) {
      const told = await status(member).catch(() => undefined);
      if (told && told.leader === told.header.member_id) return member;
    }
    throw new Error('No member of etcd leads');
  }
}

interface Status {
  header: { member_id: string };
  leader: string;
}

async function status({ client }: Member): Promise<Status> {
  const signal = AbortSignal.timeout(1000);
  const answer = await fetch(`${client}/v3/maintenance/status`, { method: 'POST', body: '{}', signal });
  return (await answer.json()) as Status;
}
