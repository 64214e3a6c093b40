import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { textOf } from '@farlink/gateway/radius/values.ts';

/** A MAC in the form of our tables, from any of the usual spellings: `AA-BB-…`, `aa:bb:…`, `aabb.ccdd.eeff`, with an SSID after it. */
export const macOf = (station: string | undefined): string | undefined => {
  const digits = /^[0-9a-f]{2}([-:.]?[0-9a-f]{2}){5}(?![0-9a-f])/i
    .exec(station ?? '')?.[0]
    .replace(/[-:.]/g, '')
    .toLowerCase();
  return digits?.match(/../g)?.join(':');
};

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
