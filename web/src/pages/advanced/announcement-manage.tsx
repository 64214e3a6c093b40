import { announcementTarget, noticeManage } from '@farlink/contract/advanced/announcement.ts';
import type { Form } from '@farlink/contract/kit/page.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import type { ListPage } from '../../kit/list/use-list.ts';
import { useMe } from '../../kit/net/session.ts';

/** Only the platform can choose itself as target, so a VNO does not see that option. */
const withoutAdmin = ({ fields, ...form }: Form): Form => ({
  ...form,
  fields: { ...fields, target: { ...noticeManage.resource.fields.target, options: announcementTarget.filter(({ id }) => id !== 'admin') } },
});

const pageOfVno: ListPage = {
  ...noticeManage,
  forms: { create: withoutAdmin(noticeManage.forms.create), edit: withoutAdmin(noticeManage.forms.edit) },
};

const AnnouncementManage = () => <ResourcePage page={useMe().agent_level === 0 ? noticeManage : pageOfVno} />;
export default AnnouncementManage;
