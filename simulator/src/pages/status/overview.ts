import { typeOfNetwork } from '@farlink/gateway/kit/link-type.ts';
import type { LinkLock } from '../../radio.ts';
import type { StatusReader } from '../row.ts';

export const locks: Readonly<Record<LinkLock, string>> = { unlocked: 'unlocked', global: 'global', second_satellite: 'second' };
export const optStates = ['uninitialized', 'initialized', 'update_available'] as const;

export const overview: StatusReader = (snapshot) => {
  const { gateway } = snapshot;
  const { uptime } = gateway.view();
  const { cpu, mem } = gateway.world.load;
  const type = typeOfNetwork(gateway.current ?? '');
  return [
    {
      device_name: String(snapshot.doc('advanced_device_info').device_name ?? gateway.sn),
      sn: gateway.sn,
      model: gateway.model,
      firmware_version: gateway.firmware.version,
      run_time: uptime,
      cpu_usage: cpu,
      memory_usage: mem,
      disk_usage: snapshot.lasting('disk').int(18, 55),
      temperature: snapshot.lasting('warmth').int(38, 46) + Math.round(cpu / 12),
      network: type === 'shore' ? 'unknown' : type,
      current_link: snapshot.active?.name ?? '',
      change_mode: gateway.world.radio.mode,
      link_lock: locks[gateway.world.radio.lock],
      opt_status: optStates[gateway.opt],
      fence: gateway.world.fences.join(', '),
      ...snapshot.position,
      terminal_count: snapshot.hosts.length,
      user_count: gateway.users.online,
      auth_status: 'formal',
      billing_mode: gateway.bill,
      cloud_state: gateway.state === 'online' ? 'up' : 'down',
      docker_status: gateway.containers.status,
    },
  ];
};
