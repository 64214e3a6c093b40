import type { Fields } from '@farlink/contract/kit/field.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { userDetail } from '@farlink/contract/user/user-detail.ts';
import { accountFields, identityFields } from '@farlink/contract/user/user-fields.ts';
import { user as resource } from '@farlink/contract/user/user-resource.ts';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { RecordView } from '../../kit/form/record-view.tsx';
import { usePicture } from '../../kit/form/use-picture.ts';
import { MaskedText } from '../../kit/list/masked-text.tsx';
import { useReveal } from '../../kit/list/use-reveal.ts';

const PictureDialog = lazy(() => import('../../kit/form/picture-dialog.tsx'));

const texts = {
  identity: ['身份信息', 'Identity'],
  account: ['账号信息', 'Account'],
  noPhoto: ['无照片', 'No photo'],
  photo: ['查看照片', 'Look at the photo'],
} as const satisfies Record<string, Text>;

const { fields } = resource;
const identity: Fields = {
  ...pick(fields, 'name', 'phone', 'id_type', 'id_number'),
  ...pick(identityFields, 'cert_start_at', 'cert_end_at'),
  ...pick(fields, 'issuing_authority', 'email'),
};
const account: Fields = pick(
  fields,
  'account_source',
  'agent_name',
  'bind_name',
  'allow_logins',
  'bind_ip',
  'bind_mac',
  'vlan_id',
  'package_name',
  'package_status',
  'package_periodic',
  'custom_policy',
  'balance',
  'auto_renew',
  'expire_at',
  'shutdown_at',
  'create_at',
  'remark',
);
/** A job account has no money. */
const { balance: _balance, auto_renew: _renewal, ...accountOfJob } = account;

const Portrait = ({ path }: { readonly path: string }) => {
  const { url } = usePicture(path);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="box small portrait" aria-label={t(texts.photo)} onClick={() => setOpen(true)}>
        {url && <img src={url} alt="" />}
      </button>
      {open && (
        <Suspense>
          <PictureDialog paths={[path]} label={t(fields.photo.label)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};

/** Encrypted like the ID number, and revealed on request. */
const Password = ({ id }: { readonly id: number }) => {
  const reveal = useReveal(userDetail);
  const label = t(accountFields.password.label);
  return (
    <dl className="record-grid">
      <div>
        <dt>{label}</dt>
        <dd>
          <MaskedText text="********" label={label} isMono reveal={reveal && (() => reveal(id, 'password'))} />
        </dd>
      </div>
    </dl>
  );
};

/** Identity and contract data. */
export const UserFacts = ({ user }: { readonly user: AnyRow }) => (
  <section className="card detail-facts user-facts" aria-label={t(texts.identity)}>
    <h3>{t(texts.identity)}</h3>
    <div className="with-portrait">
      {typeof user.photo === 'string' ? (
        <Portrait key={user.version} path={user.photo} />
      ) : (
        <span className="box muted small portrait">{t(texts.noPhoto)}</span>
      )}
      <RecordView page={userDetail} fields={identity} record={user} isGrid />
    </div>
    <h3>{t(texts.account)}</h3>
    <Password id={user.id} />
    <RecordView page={userDetail} fields={user.account_type === 'job' ? accountOfJob : account} record={user} isGrid />
  </section>
);
