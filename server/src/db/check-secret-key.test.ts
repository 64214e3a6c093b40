import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { checkSecretKey } from './check-secret-key.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('starts again with the key of the database, and refuses another one', async () => {
  const { db } = service.deps;
  const own = Buffer.alloc(32, 1);
  const foreign = Buffer.alloc(32, 2);
  await checkSecretKey(db, own, 1);
  await checkSecretKey(db, own, 2);
  await expect(checkSecretKey(db, foreign, 3)).rejects.toThrow('SECRET_KEY is not the key of this database');
  await checkSecretKey(db, own, 4);
});
