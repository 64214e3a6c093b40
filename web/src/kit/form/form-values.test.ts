import { bool, int, longText, text } from '@farlink/contract/kit/field.ts';
import { customerManage } from '@farlink/contract/permission/sub-account.ts';
import { moneyForms } from '@farlink/contract/user/money.ts';
import { vnoList } from '@farlink/contract/vno/vno.ts';
import { describe, expect, it } from 'vitest';
import { actionValues, isShown, isUnchanged, startValues } from './form-values.ts';

const { edit, create, phone } = customerManage.forms;
const row = {
  id: 7,
  version: 2,
  username: 'desk1',
  name: '赵磊',
  phone: '+8613800000000',
  role_id: 3,
  income_limit: '500.00',
  view_hide_pkg: false,
  status: 0,
  remark: null,
};

describe('the values a form starts with', () => {
  it('are the defaults for a new record', () => {
    expect(startValues(create.fields)).toMatchObject({ status: 1, view_hide_pkg: false, income_limit_enable: false });
  });
  it('are the values of the row for an edit, without defaults', () => {
    expect(startValues(edit.fields, row)).toMatchObject({ name: '赵磊', status: 0, remark: undefined });
  });
  it('turn a switch on if its value exists', () => {
    expect(startValues(edit.fields, row).income_limit_enable).toBe(true);
    expect(startValues(edit.fields, { ...row, income_limit: null }).income_limit_enable).toBe(false);
  });
  it('ignore the row for fields marked as blank', () => {
    const fields = {
      keep_users: bool(['保留', 'Keep'], { default: true, blank: true }),
      remark: longText(['备注', 'Remark'], { blank: true }),
    };
    expect(startValues(fields, { ...row, remark: 'old' })).toEqual({ keep_users: true, remark: undefined });
  });
  it('contain the old phone but not the new one', () => {
    expect(startValues(phone.fields, row)).toEqual({ old_phone: '+8613800000000', phone: undefined });
  });
  it('contain the id of the VNO whose device password is set', () => {
    expect(startValues(vnoList.forms.devicePwd.fields, { id: 12 }).vno_id).toBe(12);
  });
  it('are, for an action, its defaults and the values of a single row except the remark', () => {
    const fields = {
      kind: text(['方式', 'Kind'], { default: 'package' }),
      device_id: int(['设备', 'Device']),
      remark: longText(['备注', 'Remark']),
    };
    expect(actionValues(fields)).toEqual({ kind: 'package', device_id: undefined, remark: undefined });
    expect(actionValues(fields, { id: 1, device_id: 9, remark: 'vip' })).toEqual({ kind: 'package', device_id: 9, remark: undefined });
  });
  it('ignore a value of the row that has another meaning', () => {
    const { changePackage } = moneyForms;
    expect(actionValues(changePackage.fields, { id: 1, package_id: 9 })).toMatchObject({ package_id: undefined, effect: 'now' });
  });
  it('never contain a password', () => {
    expect(startValues(vnoList.forms.edit.fields, { password: 'secret' }).password).toBeUndefined();
  });
});

describe('comparing an edit with its start values', () => {
  const before = startValues(edit.fields, row);
  it('finds equal values', () => {
    expect(isUnchanged(edit.fields, before, before)).toBe(true);
  });
  it('ignores outer spaces, emptied text and numbers as text', () => {
    expect(isUnchanged(edit.fields, before, { ...before, name: ' 赵磊 ', remark: '', role_id: '3' })).toBe(true);
  });
  it('finds a changed value', () => {
    expect(isUnchanged(edit.fields, before, { ...before, name: '赵石' })).toBe(false);
    expect(isUnchanged(edit.fields, before, { ...before, income_limit_enable: false })).toBe(false);
  });
  it('ignores a field that is not shown', () => {
    expect(
      isUnchanged(edit.fields, { ...before, income_limit_enable: false }, { ...before, income_limit_enable: false, income_limit: '9.00' }),
    ).toBe(true);
  });
  it('compares each record of a list', () => {
    const lines = { cards: { ...edit.fields.role_id, kind: 'items' as const } };
    const of = (count: number) => ({ cards: [{ card_type: 'amount', count }] });
    expect(isUnchanged(lines, of(1), of(1))).toBe(true);
    expect(isUnchanged(lines, of(1), of(2))).toBe(false);
  });
  it('compares lists and grants in any order', () => {
    const { vno_ids, permissions } = {
      vno_ids: { ...edit.fields.role_id, kind: 'options' as const },
      permissions: { ...edit.fields.role_id, kind: 'grants' as const },
    };
    const fields = { vno_ids, permissions };
    expect(
      isUnchanged(fields, { vno_ids: [1, 2], permissions: { a: '10', b: '11' } }, { vno_ids: [2, 1], permissions: { b: '11', a: '10' } }),
    ).toBe(true);
    expect(isUnchanged(fields, { vno_ids: [1, 2], permissions: {} }, { vno_ids: [1], permissions: {} })).toBe(false);
  });
});

describe('a field with a condition', () => {
  it('is shown while the condition holds', () => {
    expect(isShown(edit.fields.income_limit, { income_limit_enable: true })).toBe(true);
    expect(isShown(edit.fields.income_limit, { income_limit_enable: false })).toBe(false);
  });
});
