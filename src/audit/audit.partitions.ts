import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Chores } from '../common/chores.js';

const DAY_MS = 86_400_000;

/**
 * Makes the partitions of this month and the next three, at the start and every day: however many instances do. Where
 * it fails there are months ahead, and after them the default partition.
 */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly chores: Chores,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.chores.atOnceAndEvery(DAY_MS, 'Making partitions of the audit log', () => this.make());
  }

  async make(): Promise<void> {
    await this.database.query(`SELECT make_audit_partitions()`);
  }
}
