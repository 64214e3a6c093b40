/** Sample texts for every pattern; the first match is used. */
export const texts = (name: string, n: number): readonly string[] => {
  const a = n % 200;
  const b = Math.floor(n / 200) % 200;
  const c = Math.floor(n / 40_000) % 200;
  const hex = n.toString(16).padStart(4, '0');
  return [
    `${name}${n}`,
    `${name.slice(0, 8)}${n}`,
    `sample-${n}`,
    `10.${200 + (c % 50)}.${b}.${a + 1}`,
    `10.${200 + (c % 50)}.${b}.${a + 1}/24`,
    `02:00:5e:${hex.slice(-4, -2)}:${hex.slice(-2)}:0${n % 10}`,
    `${8000 + (n % 1000)}`,
    `8000-${8001 + (n % 1000)}`,
    `https://s${n}.example.com/path`,
    `s${n}.example.com`,
    `*.s${n}.example.com`,
    `crew${n}@example.com`,
    `Passw0rd${n}`,
    `gw_network_wan`,
    `/data/sample${n}`,
    `farlink/sample${n}`,
    `SAMPLE_${n}`,
    `${1 + (n % 99)}-${100 + (n % 900)}`,
    `${String(12_000_000 + n).padStart(9, '4')}`,
    `${String(n).padStart(14, '3')}`,
    `${String(n).padStart(7, '9')}`,
    `${String(n).padStart(6, '1')}`,
    `${String(n).padStart(4, '1').slice(-4)}`,
    `${n % 90}.25`,
    `CALL${n % 1000}`,
    `VENDOR${String(n % 1000).padStart(3, '0')}`,
    `${'a1'.repeat(32)}`,
    `${hex.slice(-4)}`,
    `A${'bcdefg0123'.repeat(4)}${String(n % 100).padStart(2, '0')}=`,
    `03.02.${String(n % 100).padStart(2, '0')}`,
    `s${n}`,
    `+8613800${String(n % 1_000_000).padStart(6, '0')}`,
    'tcp port 80',
    `Sample ${n}`,
  ];
};

export const fileNames = [
  'sample.opt',
  'sample.crt',
  'sample.key',
  'sample.zip',
  'sample.tar',
  'sample.tar.gz',
  'sample.bin',
  'sample.img',
  'sample.bak',
  'sample.lic',
  'sample',
] as const;
