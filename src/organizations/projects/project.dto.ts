import { ListField, PatchOf, PickOf, RefField, StringField, UuidField } from '../../common/fields/index.js';

export class ProjectProjectEnvironments {
  @UuidField({ optional: true })
  id?: string;

  @StringField({ optional: true, description: '`sandbox` or `live`.' })
  environmentName?: string;
}

export class Project {
  @StringField()
  name!: string;

  @UuidField()
  id!: string;

  @UuidField()
  organizationId!: string;

  @ListField(() => ProjectProjectEnvironments, { optional: true })
  projectEnvironments?: ProjectProjectEnvironments[];
}

/** A project as events show it. */
export class ProjectPayload extends PickOf(Project, ['id', 'name']) {}

export class ProjectsResponse {
  @ListField(() => Project, { optional: true })
  projects?: Project[];
}

export class ProjectRequest {
  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  name!: string;
}

export class CreateProjectResponseProject extends PatchOf(Project) {}

export class CreateProjectResponse {
  @RefField(() => CreateProjectResponseProject, { optional: true })
  project?: CreateProjectResponseProject;
}

export class UpdateProjectRequest {
  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  name!: string;
}

export class UpdateProjectResponse {
  @UuidField({ optional: true })
  id?: string;

  @StringField({ optional: true, max: 255 })
  name?: string;
}
