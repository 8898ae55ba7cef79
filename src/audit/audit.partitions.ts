import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

const DAY_MS = 86_400_000;

/** Makes the partitions of this month and the next three, at the start and every day: however many instances do. */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private timer?: NodeJS.Timeout;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async onApplicationBootstrap(): Promise<void> {
    const make = () =>
      this.make().catch((error: unknown) => {
        // There are months ahead, and after them the default partition: tomorrow then.
        this.logger.warn({ err: error }, 'No partitions were made for the audit log');
      });
    this.timer = setInterval(() => void make(), DAY_MS).unref();
    await make();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async make(): Promise<void> {
    await this.database.query(`SELECT make_audit_partitions()`);
  }
}
