import { gatewayAccountCalls as calls, type GatewayGrants, gatewayConfig } from '@farlink/contract/config/gateway-config.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm, notify } from '../../../kit/chrome/notify.tsx';
import { Dialog, useCloseGuard } from '../../../kit/form/dialog.tsx';
import { FieldRow } from '../../../kit/form/field-row.tsx';
import { useForm } from '../../../kit/form/use-form.ts';
import { discard } from '../../../kit/form/use-leave-guard.ts';
import { useSubmit } from '../../../kit/form/use-submit.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { RadioRow } from '../../../ui/native/radio-row.tsx';
import '../../../ui/styles/form.css';
import { Unread } from '../../../kit/chrome/read-failed.tsx';

const GrantEditor = lazy(() => import('../../../kit/grants/grant-editor.tsx'));

const texts = {
  account: ['网关账号', 'Gateway account'],
  first: [
    '设备尚未报告网关账号，将保存为 admin 的权限',
    'The device has not reported a gateway account. The permissions are saved for admin.',
  ],
  cancel: ['取消', 'Cancel'],
  submit: ['保存', 'Save'],
} as const satisfies Record<string, Text>;

const { permission: form } = gatewayConfig.forms;
const { permissions: _, ...others } = form.fields;

const grantsOf = (nodes: readonly PermissionNode[]): Record<string, Grant> =>
  Object.fromEntries(
    nodes.flatMap((node) => [
      ...(node.key.startsWith('gw_') ? [[node.key, node.value] as const] : []),
      ...Object.entries(grantsOf(node.children)),
    ]),
  );

const startOf = ({ list, account }: GatewayGrants): Values => {
  const permissions = grantsOf(list);
  const all = Object.values(permissions);
  return {
    role_id: account?.role_id ?? undefined,
    permissions,
    read_all: all.length > 0 && all.every((grant) => grant !== '00'),
    write_all: all.length > 0 && all.every((grant) => grant === '11'),
  };
};

interface GrantFormProps {
  readonly deviceId: number;
  readonly grants: GatewayGrants;
  /** Asks before unsaved changes are lost. */
  readonly guard: RefObject<() => Promise<boolean>>;
  readonly onClose: () => void;
}

const GrantForm = ({ deviceId: device_id, grants, guard, onClose }: GrantFormProps) => {
  const id = useId();
  const client = useQueryClient();
  const state = useForm(form.fields, startOf(grants), {});
  const { busy, submit } = useSubmit({
    id,
    fields: form.fields,
    state,
    isEdit: true,
    onSubmit: async ({ role_id, read_all, write_all, permissions }) => {
      const account_id = grants.account?.id;
      const chosen = {
        role_id: role_id === null || role_id === undefined ? null : Number(role_id),
        read_all: read_all === true,
        write_all: write_all === true,
      };
      await call(
        calls.save,
        { device_id, ...chosen, permissions: grantsIn(permissions), ...(account_id && { account_id }) },
        { overlay: false },
      );
      notify.success(t(gatewayConfig.actions.save.done));
      void client.invalidateQueries();
      onClose();
    },
  });
  const mayLeave = async () => state.unchanged || (await confirm(discard));
  useCloseGuard(mayLeave);
  useEffect(() => {
    guard.current = mayLeave;
  });
  const fillFromRole = async (role_id: number) => {
    try {
      state.put({ ...startOf(await call(calls.grants, { role_id })), role_id });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  };
  // A chosen role fills in its grants; the tree can still be changed.
  const roleForm = {
    ...state,
    put: (patch: Values) => {
      state.put(patch);
      const role_id = Number(patch.role_id);
      if (role_id > 0) void fillFromRole(role_id);
    },
  };
  return (
    <form
      className="record-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        void submit();
      }}
    >
      <div className="fields">
        <FieldRow id={`${id}-role_id`} name="role_id" field={others.role_id} form={roleForm} scope={{}} self={undefined} />
        <Suspense>
          <GrantEditor id={id} fields={{ permissions: form.fields.permissions }} form={state} />
        </Suspense>
      </div>
      <div className="dialog-foot">
        <span className="spring" />
        <Button onClick={() => void mayLeave().then((yes) => yes && onClose())}>{t(texts.cancel)}</Button>
        <Button kind="primary" type="submit" loading={busy}>
          {t(texts.submit)}
        </Button>
      </div>
    </form>
  );
};

const isGrant = (value: unknown): value is Grant => value === '00' || value === '10' || value === '11';
const grantsIn = (value: unknown): Record<string, Grant> =>
  Object.fromEntries(Object.entries(isRecord(value) ? value : {}).flatMap(([key, grant]) => (isGrant(grant) ? [[key, grant]] : [])));

/** Page rights of the gateway accounts. */
const PermissionDialog = ({ deviceId: device_id, onClose }: { readonly deviceId: number; readonly onClose: () => void }) => {
  const [account_id, setAccount] = useState<number>();
  const guard = useRef(async () => true);
  const {
    data: grants,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['gateway-grants', device_id, account_id],
    queryFn: () => call(calls.grants, { device_id, ...(account_id && { account_id }) }, { silent: true }),
    gcTime: 0,
    // The account selection stays while another account loads.
    placeholderData: (previous) => previous,
  });
  const accounts = grants?.accounts ?? [];
  return (
    <Dialog open title={t(form.title)} width={form.width} onClose={onClose}>
      {accounts.length > 1 && (
        <div className="field">
          <span className="field-label">{t(texts.account)}</span>
          <RadioRow
            id="gateway-account"
            label={t(texts.account)}
            value={String(grants?.account?.id ?? '')}
            options={accounts.map(({ id, username, role_name }) => ({
              value: String(id),
              label: role_name ? `${username} (${role_name})` : username,
            }))}
            onChange={(id) => void guard.current().then((yes) => yes && setAccount(Number(id)))}
          />
        </div>
      )}
      {isError && !grants && <Unread retry={refetch} />}
      {grants && accounts.length === 0 && <p className="muted dialog-hint">{t(texts.first)}</p>}
      {grants && <GrantForm key={grants.account?.id ?? 0} deviceId={device_id} grants={grants} guard={guard} onClose={onClose} />}
    </Dialog>
  );
};
export default PermissionDialog;
