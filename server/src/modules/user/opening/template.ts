import { Readable } from 'node:stream';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { accountType } from '@farlink/contract/user/choices.ts';
import { idType } from '@farlink/contract/user/id-document.ts';
import { type demoCall, importFields } from '@farlink/contract/user/import-user.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { exampleMark, templateHeader } from '../../../kit/formats/import-sheet.ts';
import { xlsx } from '../../../kit/formats/xlsx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { type ImportColumn, importColumns } from './sheet-rows.ts';

type Example = Partial<Record<ImportColumn, string | Text>>;

const typeLabel = (id: string) => accountType.find((t) => t.id === id)?.label ?? '';

const examples: readonly Example[] = [
  {
    account: 'crew0001',
    password: 'Sea2026a',
    name: ['张海生', 'Zhang Haisheng'],
    phone: '13800000001',
    account_type: typeLabel('maritime_crew'),
    id_type: idType[0].label,
    id_number: '11010519491231002X',
    cert_start_at: '2020-01-01',
    cert_end_at: '2040-01-01',
    issuing_authority: ['某某市公安局', 'Public Security Bureau'],
    email: 'crew@example.com',
    allow_logins: '1',
    bind_mac: '00:11:22:33:44:55',
    expire_at: '2030-12-31',
    remark: ['轮机部', 'Engine crew'],
  },
  {
    account: 'office01',
    password: 'Work2026',
    name: ['李值班', 'Li Zhiban'],
    phone: '13800000002',
    account_type: typeLabel('job'),
    allow_logins: '5',
  },
];

const notes: readonly Text[] = [
  [
    '带*的列必填；账号4-20位字母、数字、下划线；密码6-18位；日期格式如2030-12-31',
    'Columns with * are required; accounts have 4-20 letters, digits or underscores; passwords 6-18 characters; dates such as 2030-12-31',
  ],
  [
    '账号类型留空为个人账号；证件类型留空为居民身份证；允许登录数、到期时间留空取开户配置；允许登录数大于1时不能绑定IP/MAC/VLAN',
    'Empty account type: Personal; empty ID type: ID card; empty logins or expiry: from the opening configuration; with more than 1 login, IP/MAC/VLAN cannot be bound',
  ],
];

/** Import template: header in the language of the reader, two example rows that the import ignores, and notes. */
export const importTemplate: Handler<typeof demoCall> = async ({ lang }) => {
  const cellText = (value: string | Text | undefined) => (typeof value === 'object' ? say(value, lang) : (value ?? ''));
  const rows = examples.map((example, i) => [
    ...importColumns.map((name) => cellText(example[name])),
    `${cellText(exampleMark)}${cellText(notes[i])}`,
  ]);
  async function* batches() {
    yield rows;
  }
  return new FileResponse({
    body: Readable.from(xlsx(templateHeader(importFields, lang), batches())),
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: lang === 'en' ? 'user-import-template.xlsx' : '用户导入模板.xlsx',
  });
};
