/** IPv4 addresses as numbers, so that they can be compared. */
export const isIpv4 = (s: string): boolean =>
  /^(\d{1,3}\.){3}\d{1,3}$/.test(s) && s.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

export const ipNumber = (s: string): number => s.split('.').reduce((n, part) => n * 256 + Number(part), 0);

export interface Subnet {
  readonly address: number;
  readonly first: number;
  readonly last: number;
}

export const subnetOf = (cidr: string): Subnet | undefined => {
  const [ip = '', bits = ''] = cidr.split('/');
  if (!isIpv4(ip) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return undefined;
  const address = ipNumber(ip);
  const size = 2 ** (32 - Number(bits));
  const first = Math.floor(address / size) * size;
  return { address, first, last: first + size - 1 };
};

export const isCidr = (s: string): boolean => subnetOf(s) !== undefined;

export const isInside = (ip: string, subnet: Subnet): boolean => {
  const n = ipNumber(ip);
  return n >= subnet.first && n <= subnet.last;
};

/** Inside the subnet, but neither its network nor its broadcast address. */
export const isHostIn = (ip: string, { first, last }: Subnet): boolean => {
  const n = ipNumber(ip);
  return n > first && n < last;
};

/** Not 0.0.0.0/8, loopback, multicast or reserved. */
const isUnicast = (address: number): boolean => {
  const octet = Math.floor(address / 2 ** 24);
  return octet > 0 && octet < 224 && octet !== 127;
};

/** An address that an interface can have in its subnet. */
export const isInterfaceAddress = (cidr: string): boolean => {
  const subnet = subnetOf(cidr);
  if (!subnet) return false;
  const { address, first, last } = subnet;
  const size = last - first + 1;
  return size >= 4 && size <= 2 ** 24 && isUnicast(address) && address > first && address < last;
};

export const overlap = (a: Subnet, b: Subnet): boolean => a.first <= b.last && b.first <= a.last;

/** An address, a subnet, or a range whose end is not before its start. */
export const isAddressEntry = (s: string): boolean => {
  const [from = '', to] = s.split('-');
  if (to === undefined) return isIpv4(s) || isCidr(s);
  return isIpv4(from) && isIpv4(to) && ipNumber(from) <= ipNumber(to);
};
