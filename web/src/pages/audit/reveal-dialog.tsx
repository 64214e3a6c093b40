import { auditRevealCalls } from '@farlink/contract/audit/audit-reveal.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { Dialog } from '../../kit/form/dialog.tsx';
import { call } from '../../kit/net/call.ts';
import type { AuditListPage } from './audit-list-page.ts';
import '../../ui/styles/drawer.css';
import './audit.css';

const texts = {
  title: ['明文', 'Values in clear'],
  erased: ['该用户的密钥已删除，内容无法读取', 'The keys of this user were deleted. The values cannot be read.'],
  unreadable: ['密钥与本系统的主密钥不符，内容无法读取', 'The key does not belong to the secret key of this installation.'],
  none: ['该行没有敏感信息', 'This row has no masked values'],
  failed: ['读取失败', 'The values could not be read'],
} as const satisfies Record<string, Text>;

interface RevealDialogProps {
  readonly page: AuditListPage;
  readonly row: AnyRow;
  readonly onClose: () => void;
}

/** Values of one row in clear. Each opening is a request and a line of the log; nothing is kept after closing. */
const RevealDialog = ({ page, row, onClose }: RevealDialogProps) => {
  const { data, isError } = useQuery({
    queryKey: ['audit-reveal', page.key, row.id],
    queryFn: () => call(auditRevealCalls.reveal, { page: page.key, id: row.id }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const values = Object.entries(data?.values ?? {});
  const note = isError ? texts.failed : data?.closed ? texts[data.closed] : data && values.length === 0 ? texts.none : undefined;
  return (
    <Dialog open title={`${t(page.title)} · ${t(texts.title)}`} onClose={onClose}>
      {note && <p className="muted">{t(note)}</p>}
      <dl className="record-view audit-clear">
        {values.map(([name, value]) => {
          const field = page.resource.fields[name];
          return (
            <div key={name}>
              <dt>{field ? t(field.label) : name}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </Dialog>
  );
};
export default RevealDialog;
