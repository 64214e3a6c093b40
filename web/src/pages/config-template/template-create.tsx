import { TemplateForm } from './template-form.tsx';

const TemplateCreate = () => <TemplateForm view={undefined} />;
export default TemplateCreate;
