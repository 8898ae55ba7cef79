import { DataSource, EntityManager } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { retried } from './retry.js';

/** TypeORM's, whose transactions are tried again where they have to give way, and which never changes the schema. */
export class ServiceDataSource extends DataSource {
  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    return new RetryingManager(this, queryRunner);
  }

  /** Whatever the options say: it would drop what it does not know, such as a column of a newer version. */
  override synchronize(): Promise<never> {
    return Promise.reject(new Error('Only migrations change the schema'));
  }

  override dropDatabase(): Promise<never> {
    return this.synchronize();
  }
}

type Work = Parameters<EntityManager['transaction']>;

class RetryingManager extends EntityManager {
  /** One inside another is a part of that, and is tried again with it. */
  override transaction<T>(...work: unknown[]): Promise<T> {
    const run = () => super.transaction(...(work as Work)) as Promise<T>;
    return this.queryRunner ? run() : retried(run);
  }
}
