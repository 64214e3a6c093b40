import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';

/** Size and free bytes of the file system of DATA_DIR, as far as users without privileges can use it. */
const sizesOf = async (folder: string) => {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: (blocks - bfree + bavail) * bsize };
};

/** A folder that cannot be read has no values, so a scrape never fails because of it. */
export const addDiskMetrics = (register: Registry, folder: string) => {
  for (const part of ['free', 'total'] as const)
    new Gauge({
      name: `farlink_disk_${part}_bytes`,
      help: part === 'free' ? 'Free bytes of the file system of DATA_DIR' : 'Bytes of the file system of DATA_DIR, used and free',
      registers: [register],
      async collect() {
        const sizes = await sizesOf(folder).catch(() => undefined);
        if (sizes) this.set(sizes[part]);
        else this.remove();
      },
    });
};
