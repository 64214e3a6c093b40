import { typeOfNetwork } from '@farlink/gateway/kit/link-type.ts';
import type { LinkLock } from '../../box.ts';
import type { StatusReader } from '../row.ts';

export const locks: Readonly<Record<LinkLock, string>> = { unlocked: 'unlocked', global: 'global', second_satellite: 'second' };
export const optWords = ['uninitialized', 'initialized', 'update_available'] as const;

export const overview: StatusReader = (scene) => {
  const { box } = scene;
  const { uptime } = box.view();
  const { cpu, mem } = box.world.load;
  const type = typeOfNetwork(box.current ?? '');
  return [
    {
      device_name: String(scene.doc('advanced_device_info').device_name ?? box.sn),
      sn: box.sn,
      model: box.model,
      firmware_version: box.firmware.version,
      run_time: uptime,
      cpu_usage: cpu,
      memory_usage: mem,
      disk_usage: scene.lasting('disk').int(18, 55),
      temperature: scene.lasting('warmth').int(38, 46) + Math.round(cpu / 12),
      network: type === 'shore' ? 'unknown' : type,
      current_link: scene.active?.name ?? '',
      change_mode: box.world.radio.mode,
      link_lock: locks[box.world.radio.lock],
      opt_status: optWords[box.opt],
      fence: box.world.fences.join(', '),
      ...scene.place,
      terminal_count: scene.hosts.length,
      user_count: box.users.online,
      auth_status: 'formal',
      billing_mode: box.bill,
      cloud_state: box.state === 'online' ? 'up' : 'down',
      docker_status: box.containers.status,
    },
  ];
};
