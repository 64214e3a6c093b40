import type { Rule } from '@farlink/contract/kit/rule.ts';
import { isAddressEntry } from './address.ts';
import { like } from './rules.ts';

/** Patterns of text values. */
export const hostName = like('host_name', /^[A-Za-z0-9]([A-Za-z0-9.-]{0,253}[A-Za-z0-9])?$/, [
  '应为主机名或IP地址',
  'A host name or an IP address',
]);
export const interfaceName = like('interface_name', /^[a-z][a-z0-9_]{0,14}$/, [
  '小写字母开头，可含小写字母、数字和下划线，最多15个字符',
  'Starts with a lowercase letter; lowercase letters, digits and underscores, at most 15',
]);
export const serialNumber = like('serial_number', /^[A-Za-z0-9]([A-Za-z0-9_-]{0,30}[A-Za-z0-9])?$/, [
  '可含字母、数字、下划线和连字符，首尾为字母或数字',
  'Letters, digits, underscores and hyphens; a letter or digit at both ends',
]);
export const folder = like('folder', /^\/[A-Za-z0-9_/]{1,127}$/, ['应为绝对路径，如/data/share', 'An absolute path such as /data/share']);
export const strongPassword = like('strong_password', /^(?=.*[A-Za-z])(?=.*\d)[!-~]{8,32}$/, [
  '8到32位，同时含字母和数字',
  '8 to 32 characters with letters and digits',
]);
export const phone = like('phone', /^[0-9+-]{5,32}$/, ['5到32位数字，可含+和-', '5 to 32 digits, + and -']);
export const appId = like('app_id', /^\d{1,4}(-\d{1,5})?$/, ['应用编号，如12或12-345', 'An application number such as 12 or 12-345']);
export const sha256 = like('sha256', /^[a-f0-9]{64}$/, ['64位小写十六进制', '64 lowercase hexadecimal digits']);
export const longitude = like('longitude', /^-?(180(\.0{1,6})?|(1[0-7]\d|\d{1,2})(\.\d{1,6})?)$/, [
  '经度-180到180，最多6位小数',
  'A longitude from -180 to 180, at most 6 decimals',
]);
export const wireguardKey = like('wireguard_key', /^[A-Za-z0-9+/]{43}=$/, ['44位Base64密钥', 'A key of 44 Base64 characters']);
export const wildcardDomain = like('wildcard_domain', /^(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9*-]+)+$/, [
  '域名，可用*.开头',
  'A domain name, can start with *.',
]);
export const passphrase = like('passphrase', /^[ -~]{8,63}$/, ['8到63个可见字符', '8 to 63 printable characters']);
/** IEEE 802.11 limits the bytes, not the characters. */
export const ssidBytes: Rule = {
  name: 'ssid_bytes',
  text: ['最多32字节，一个汉字占3字节', 'At most 32 bytes; a Chinese character uses 3'],
  test: (v) => new TextEncoder().encode(String(v)).length <= 32,
};
export const merchantCode = like('merchant_code', /^[A-Za-z0-9_-]{1,32}$/, [
  '1到32位字母、数字、下划线或连字符',
  '1 to 32 letters, digits, underscores or hyphens',
]);
export const accessPoint = like('access_point', /^[A-Za-z0-9.-]{1,64}$/, [
  '可含字母、数字、点和连字符',
  'Letters, digits, dots and hyphens',
]);
export const latitude = like('latitude', /^-?(90(\.0{1,6})?|[0-8]?\d(\.\d{1,6})?)$/, [
  '纬度-90到90，最多6位小数',
  'A latitude from -90 to 90, at most 6 decimals',
]);
export const preSharedKey = like('pre_shared_key', /^[!-~]{8,64}$/, [
  '8到64个可见字符，不含空格',
  '8 to 64 printable characters without spaces',
]);
export const adminName = like('admin_name', /^(?=.*[A-Za-z])[A-Za-z0-9_]{4,32}$/, [
  '4到32位字母、数字或下划线，至少一个字母',
  '4 to 32 letters, digits or underscores, at least one letter',
]);
export const version = like('version', /^\d{1,2}\.\d{1,2}\.\d{1,2}$/, ['版本号，如03.02.01', 'A version such as 03.02.01']);
export const snmpPassword = like('snmp_password', /^[!-~]{8,32}$/, [
  '8到32个可见字符，不含空格',
  '8 to 32 printable characters without spaces',
]);
export const simPin = like('sim_pin', /^\d{4,8}$/, ['4到8位数字', '4 to 8 digits']);
export const plmn = like('plmn', /^\d{5,6}$/, ['5到6位数字', '5 or 6 digits']);
export const hexBytes = like('hex_bytes', /^[0-9A-Fa-f]{2,128}$/, ['十六进制，2到128位', '2 to 128 hexadecimal digits']);
export const hostLabel = like('host_label', /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/, [
  '可含字母、数字和连字符，首尾为字母或数字',
  'Letters, digits and hyphens; a letter or digit at both ends',
]);
const addressForm = like('address_entry', /^\d{1,3}(\.\d{1,3}){3}(\/([0-9]|[12]\d|3[0-2])|-\d{1,3}(\.\d{1,3}){3})?$/, [
  'IP地址、网段或地址范围，如10.0.0.1-10.0.0.9',
  'An IP address, a subnet, or a range such as 10.0.0.1-10.0.0.9',
]);
/** Stricter than the pattern: no octet above 255, and no reversed range. */
export const addressEntry: Rule = { ...addressForm, test: (v) => isAddressEntry(String(v)) };
export const frequency = like('frequency', /^\d{3,5}(\.\d{1,3})?$/, [
  '频率，单位MHz，最多3位小数',
  'A frequency in MHz, at most 3 decimals',
]);
export const price = like('price', /^\d{1,6}(\.\d{1,2})?$/, ['金额，最多2位小数', 'An amount, at most 2 decimals']);
export const siteCode = like('site_code', /^\d{14}$/, ['14位数字', '14 digits']);
export const mobilityDomain = like('mobility_domain', /^[0-9a-fA-F]{4}$/, ['4位十六进制', '4 hexadecimal digits']);
export const accountName = like('account_name', /^[A-Za-z0-9_]{4,20}$/, [
  '4到20位字母、数字或下划线',
  '4 to 20 letters, digits or underscores',
]);
export const accountPassword = like('account_password', /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d]{6,18}$/, [
  '6到18位，同时含字母和数字',
  '6 to 18 characters with letters and digits',
]);
export const fullName = like('full_name', /^\S.{0,18}\S$/, ['2到20个字符', '2 to 20 characters']);
export const imoNumber = like('imo_number', /^\d{7}$/, ['7位数字', '7 digits']);
export const mmsi = like('mmsi', /^\d{9}$/, ['9位数字', '9 digits']);
export const callSign = like('call_sign', /^[A-Z0-9]{3,10}$/, ['3到10位大写字母或数字', '3 to 10 uppercase letters or digits']);
export const pagePermission = like('page_permission', /^gw_[a-z0-9_]+$/, [
  '以gw_开头的页面权限标识',
  'The permission key of a page, starting with gw_',
]);
export const mailbox = like('mailbox', /^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, [
  '邮箱格式不正确',
  'Not a valid email address',
]);
export const captureFilter = like('capture_filter', /^[A-Za-z0-9 .:/()=<>_[\]-]{0,256}$/, [
  '仅支持抓包过滤表达式的字符',
  'Only characters of capture filter expressions',
]);
export const imageRepository = like('image_repository', /^[a-z0-9]+([._/-][a-z0-9]+)*$/, [
  '镜像名应为小写字母、数字及. _ / -',
  'Lowercase letters and digits, joined by . _ / or -',
]);
export const imageTag = like('image_tag', /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, [
  '镜像标签可含字母、数字及_ . -',
  'Letters, digits, _ . and -',
]);
export const containerName = like('container_name', /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/, [
  '字母或数字开头，可含_ . -',
  'Starts with a letter or digit; letters, digits, _ . and -',
]);
export const containerPath = like('container_path', /^\/[A-Za-z0-9_./-]{1,127}$/, [
  '应为容器内绝对路径',
  'An absolute path inside the container',
]);
export const variableName = like('variable_name', /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, [
  '字母或下划线开头，可含字母、数字和下划线',
  'Starts with a letter or underscore; letters, digits and underscores',
]);
export const vendorCode = like('vendor_code', /^[A-Z0-9]{9}$/, ['9位大写字母或数字', '9 uppercase letters or digits']);
