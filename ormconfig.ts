import { join } from 'node:path';
import { ServiceDataSource } from './src/database/data-source.js';
import { databaseOptions } from './src/database/options.js';
import { loadEnv } from './src/config/env.js';

/** The data source of TypeORM's own command line, on DATABASE_URL: `npx typeorm … --dataSource build/ormconfig.js`. */
export default new ServiceDataSource({
  ...databaseOptions({ url: loadEnv().DATABASE_URL ?? '', pool: 2, timeout: 0 }),
  entities: [join(import.meta.dirname, 'src/**/*.entity.js')],
});
