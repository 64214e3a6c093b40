import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { textOf } from '@farlink/gateway/radius/values.ts';

const inRange = (text: string | undefined) => {
  const vlan = /^\d{1,4}$/.test(text ?? '') ? Number(text) : 0;
  return vlan >= 1 && vlan <= 4094 ? vlan : undefined;
};

/** VLAN of a login: the tunnel group, or the port name as Cisco (`…vlanid=12`), Huawei (`vlanid=12;`) and Linux (`eth0.12`) write it. */
export const vlanOf = (packet: Packet): number | undefined => {
  const port = textOf(packet, 'NAS-Port-Id');
  const named = /vlan(?:id)?[=:\s]*(\d{1,4})\b/i.exec(port ?? '')?.[1] ?? /^[a-z]+[\w/-]*\.(\d{1,4})$/i.exec(port ?? '')?.[1];
  return inRange(textOf(packet, 'Tunnel-Private-Group-Id')) ?? inRange(named);
};
