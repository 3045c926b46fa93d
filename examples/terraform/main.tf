# Skipscan's packaged template as a module: two objects in a bucket of yours, and a CloudFormation stack.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "package" {
  description = "The folder that `skipscan deploy --save` or `make package` has written"
  type        = string
}

variable "code_bucket" {
  description = "A private bucket in the region of the tables"
  type        = string
}

variable "environment" {
  description = "Everything is named skipscan-<this>"
  type        = string
  default     = "dev"
}

variable "tables" {
  description = "The names of the tables that runs may read, the one that the schedule lists first"
  type        = list(string)
  validation {
    condition     = length(var.tables) >= 1 && length(var.tables) <= 5
    error_message = "Name one to five tables."
  }
}

variable "parameters" {
  description = "More parameters of the template, such as Schedule and AlarmTopic"
  type        = map(string)
  default     = {}
}

locals {
  zip      = one(fileset(var.package, "skipscan-*.zip"))
  template = "${var.package}/skipscan.template.json"
  others   = ["Table2", "Table3", "Table4", "Table5"]
}

data "aws_s3_bucket" "code" {
  bucket = var.code_bucket
}

resource "aws_s3_object" "code" {
  bucket      = data.aws_s3_bucket.code.id
  key         = local.zip
  source      = "${var.package}/${local.zip}"
  source_hash = filemd5("${var.package}/${local.zip}")

  # A stack whose update fails goes back to the code that it had, which must still be there.
  lifecycle {
    create_before_destroy = true
  }
}

# Too large for the text of a request, so it goes by S3; another content is another name, and so an update.
resource "aws_s3_object" "template" {
  bucket = data.aws_s3_bucket.code.id
  key    = "skipscan-${filesha256(local.template)}.template.json"
  source = local.template

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_cloudformation_stack" "skipscan" {
  name         = "skipscan-${var.environment}"
  template_url = "https://${data.aws_s3_bucket.code.bucket_regional_domain_name}/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_IAM"]
  parameters = merge(
    {
      EnvironmentName = var.environment
      Table           = var.tables[0]
      CodeBucket      = aws_s3_object.code.bucket
      CodeKey         = aws_s3_object.code.key
    },
    { for index, name in local.others : name => try(var.tables[index + 1], "") },
    var.parameters,
  )

  # The network interfaces of functions in a VPC can take 45 minutes to go.
  timeouts {
    create = "60m"
    update = "60m"
    delete = "90m"
  }
}

output "state_machine_arn" {
  value = aws_cloudformation_stack.skipscan.outputs["StateMachineArn"]
}

output "bucket_name" {
  value = aws_cloudformation_stack.skipscan.outputs["BucketName"]
}
