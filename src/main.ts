import { Shutdown } from './shutdown.js';

// Listens to signals before it loads the service, which takes a second.
const shutdown = new Shutdown('service');
try {
  const { startService } = await import('./service.js');
  await startService(shutdown);
} catch (error) {
  await shutdown.fail(error);
}
