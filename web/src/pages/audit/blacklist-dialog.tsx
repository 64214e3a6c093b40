import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { networkURL } from '@farlink/contract/audit/network-url.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { callRows } from '../../kit/net/call-rows.ts';

const texts = {
  added: ['已加入危险网站：{0}', 'Added to dangerous sites: {0}'],
  left: ['{0}（{1}/{2}）', '{0} ({1}/{2})'],
} as const satisfies Record<string, Text>;

const { blacklist } = networkURL.forms;

/** One form per host, one after the other. A cancelled host is skipped. */
const BlacklistDialog = ({ hosts, onClose }: { readonly hosts: readonly string[]; readonly onClose: () => void }) => {
  const [at, setAt] = useState(0);
  const host = hosts[at];
  if (host === undefined) return null;
  const next = () => (at + 1 < hosts.length ? setAt(at + 1) : onClose());
  const title = hosts.length === 1 ? t(blacklist.title) : t(texts.left, t(blacklist.title), at + 1, hosts.length);
  return (
    <Dialog open title={title} onClose={onClose}>
      <RecordForm
        key={host}
        form={blacklist}
        start={{ ...startValues(blacklist.fields, undefined), domain: host }}
        onSubmit={async (values, key) => {
          await callRows(dangerSiteCalls.create, [], values, { overlay: false, key });
          notify.success(t(texts.added, host));
          next();
        }}
        onCancel={next}
      />
    </Dialog>
  );
};
export default BlacklistDialog;
