import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { errors } from '@farlink/contract/errors.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouteId } from '../../kit/chrome/route.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useInitial } from '../../kit/form/use-initial.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { TemplateForm } from './template-form.tsx';

const TemplateEdit = () => {
  const id = useRouteId();
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey: ['record', templateCalls.read.path, id],
    queryFn: () => call(templateCalls.read, { id }, { silent: true, overlay: false }),
    retry: false,
  });
  const { first } = useInitial(isFetchedAfterMount ? data : undefined);
  if (first) return <TemplateForm view={first} />;
  const isMissing = error instanceof CallError && error.code === errors.not_found.code;
  const loaded = { isMissing, failed: error !== null, reload: () => void refetch() };
  return <RecordState loaded={loaded} back="/device/config-template" />;
};
export default TemplateEdit;
