import { matches, numberWithin, type Rule } from '@farlink/contract/kit/rule.ts';
import { fill, lengthOf, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { isCidr, isInterfaceAddress, isIpv4 } from './address.ts';

/** Value rules of a gateway configuration, with messages for the operator. */

export const within = (min: number, max: number): Rule =>
  numberWithin('within', min, max, fill(['应为{0}到{1}之间的整数', 'A whole number from {0} to {1}'], min, max));

export const like = (name: string, pattern: RegExp, text: Text): Rule => matches(name, pattern, text);

export const countWithin = (min: number, max: number): Rule => ({
  name: 'count',
  min,
  max,
  text: min > 0 ? fill(['应为{0}到{1}项', 'From {0} to {1} entries'], min, max) : fill(['最多{0}项', 'At most {0} entries'], max),
  test: (v) => Array.isArray(v) && v.length >= min && v.length <= max,
});

/** Forbidden characters. The text is a function, so it is not shown as a hint before an error. */
const clean = (name: string, bad: RegExp, text: Text): Rule => ({ name, text: () => text, test: (v) => !bad.test(String(v)) });
export const oneLine = clean('one_line', /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u, [
  '不能含换行或控制字符',
  'Cannot contain line breaks or control characters',
]);
export const plainLines = clean('plain_lines', /[^\P{Cc}\n\r\t]|\p{Cs}/u, ['不能含控制字符', 'Cannot contain control characters']);

/** A confirmation checkbox. */
export const ticked: Rule = { name: 'ticked', text: ['请勾选确认', 'Please tick to confirm'], test: (v) => v === true };

export const ipv4: Rule = {
  name: 'ipv4',
  text: ['IPv4地址格式不正确', 'Not a valid IPv4 address'],
  max: 15,
  test: (v) => isIpv4(String(v)),
};
export const cidr: Rule = {
  name: 'cidr',
  text: ['格式应为 地址/掩码位数，如192.168.10.1/24', 'An address with its prefix length, such as 192.168.10.1/24'],
  max: 18,
  test: (v) => isCidr(String(v)),
};

/** Stricter than `cidr`, which also accepts destinations. */
export const interfaceAddress: Rule = {
  name: 'interface_address',
  text: [
    '应为可用的主机地址，掩码8到30位；不能是回环、组播、网络或广播地址',
    'A host address with a prefix from 8 to 30, not a loopback, multicast, network or broadcast address',
  ],
  test: (v) => isInterfaceAddress(String(v)),
};

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
export const domain = like('domain', new RegExp(`^(${label}\\.)+${label}$`), ['域名格式不正确', 'Not a valid domain name']);
export const url = like('url', /^https?:\/\/[^\s/]+(\/\S*)?$/, ['应为http://或https://开头的地址', 'Must start with http:// or https://']);
export const mac = matches(
  'mac',
  /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/,
  ['MAC地址格式应为 xx:xx:xx:xx:xx:xx', 'MAC address as xx:xx:xx:xx:xx:xx'],
  {
    max: 17,
  },
);
/** The lowest bit of the first octet marks a group of devices. */
export const unicastMac: Rule = {
  name: 'unicast_mac',
  text: ['应为单台设备的MAC地址，不能是广播或组播地址', 'The MAC address of one device, not a broadcast or multicast address'],
  test: (v) => Number.parseInt(String(v).slice(0, 2), 16) % 2 === 0,
};
export const portRange: Rule = {
  name: 'ports',
  text: ['端口应为1到65535，或如8000-8100的范围', 'A port from 1 to 65535, or a range such as 8000-8100'],
  max: 11,
  test: (v) => {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(v));
    if (!found) return false;
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    return from >= 1 && from <= to && to <= 65_535;
  },
};

/** A file in a document; the content is sent separately. */
export interface FileValue {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}
const isValues = (raw: unknown): raw is Values => typeof raw === 'object' && raw !== null && !Array.isArray(raw);
export const isFile = (raw: unknown): raw is FileValue =>
  isValues(raw) &&
  typeof raw.name === 'string' &&
  raw.name.length > 0 &&
  lengthOf(raw.name) <= 128 &&
  Number.isSafeInteger(raw.size) &&
  Number(raw.size) > 0 &&
  typeof raw.sha256 === 'string' &&
  /^[0-9a-f]{64}$/.test(raw.sha256) &&
  Object.keys(raw).length === 3;

export const wholeFile: Rule = { name: 'file', text: ['请重新上传文件', 'Please upload the file again'], test: isFile };
export const fileNamed = (pattern: RegExp, text: Text): Rule => ({
  name: 'file_name',
  text,
  pattern: pattern.source,
  test: (v) => isFile(v) && pattern.test(v.name),
});
export const fileUpTo = (bytes: number, text: Text): Rule => ({
  name: 'file_size',
  text: fill(['文件不能超过{0}', 'At most {0}'], text),
  max: bytes,
  test: (v) => isFile(v) && v.size <= bytes,
});
